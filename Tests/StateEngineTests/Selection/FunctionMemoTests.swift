import ImmutableJSON
import Testing

@testable import StateEngine

/// How long the memos of a function selector are kept.
@Suite struct FunctionMemoTests {
  private static let megabyte = 1 << 20

  /// The number of memos that are still there after each of some arguments was used once.
  ///
  /// - Parameter bytes: The memory of the inputs of each.
  private func count(of arguments: Range<Int64>, bytes: Int) -> Int {
    var memos = FunctionMemos()
    let objects = arguments.map { argument in
      let memo = memos.memo(for: .integer(argument)).memo
      _ = memos.use(memo, bytes)
      return Weak(memo)
    }
    return withExtendedLifetime(memos) { objects.count { $0.memo != nil } }
  }

  private struct Weak {
    weak var memo: FunctionMemo?

    init(_ memo: FunctionMemo) {
      self.memo = memo
    }
  }

  @Test func theMemoryOfInputsIsBounded() {
    // Two rounds of those that exceed 64 MiB and four times the inputs.
    #expect(self.count(of: 0..<200, bytes: 20 * Self.megabyte) <= 2 * 8)
    #expect(self.count(of: 0..<200, bytes: Self.megabyte) <= 2 * 69)
    #expect(self.count(of: 0..<200, bytes: 100) == 200)
  }

  @Test func theirNumberIsBounded() {
    #expect((256...512).contains(self.count(of: 0..<10_000, bytes: 0)))
  }

  @Test func oneThatIsUsedStays() {
    var memos = FunctionMemos()
    let used = memos.memo(for: "used").memo
    for argument: Int64 in 0..<1000 {
      _ = memos.use(memos.memo(for: .integer(argument)).memo, 20 * Self.megabyte)
      _ = memos.use(used, 20 * Self.megabyte)
    }
    #expect(memos.memo(for: "used").memo === used)
  }
}

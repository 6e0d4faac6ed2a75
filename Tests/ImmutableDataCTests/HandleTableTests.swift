import StateEngine
import Synchronization
import Testing
import Threading

@testable import ImmutableDataC

/// The objects behind handles, while calls use them and others close them.
@Suite struct HandleTableTests {
  private final class Object: Sendable {
    let number: Int

    init(_ number: Int = 0) {
      self.number = number
    }
  }

  private let table = HandleTable<Object>(kind: 3, "object", isShared: true)

  @Test func aClosedObjectIsReleasedAfterItsLastUse() throws {
    let handle = self.table.create(Object(7))
    weak var object = self.table.find(handle)
    try self.table.use(handle) { used in
      try self.table.use(handle) { _ in #expect(self.table.remove(handle)?.number == 7) }
      #expect(throws: EngineError.self) { try self.table.use(handle) { _ in } }
      #expect(object === used)
    }
    #expect(object == nil)
    #expect(self.table.remove(handle) == nil)
  }

  @Test func aNumberIsNotUsedAgain() throws {
    let handles = (0..<100).map { number in
      let handle = self.table.create(Object(number))
      #expect(self.table.find(handle)?.number == number)
      _ = self.table.remove(handle)
      return handle
    }
    #expect(Set(handles).count == handles.count)
    let last = self.table.create(Object())
    for handle in handles { #expect(self.table.find(handle) == nil) }
    #expect(self.table.find(last) != nil)
  }

  @Test func manyAreOpenAtOnce() {
    let handles = (0..<5000).map { self.table.create(Object($0)) }
    for (number, handle) in handles.enumerated() {
      #expect(self.table.find(handle)?.number == number)
    }
  }

  @Test(arguments: [0, 1, 3, 8, 4, 1 << 40, UInt.max, UInt.max - 1])
  func otherNumbersAreRefused(_ number: UInt) {
    _ = self.table.create(Object())
    let handle = OpaquePointer(bitPattern: number)
    #expect(self.table.find(handle) == nil)
    #expect(throws: EngineError.self) { try self.table.requireCreated(handle) }
  }

  /// Threads use objects that others close meanwhile: they find the object of the handle, or none.
  @Test func threadsUseWhatOthersClose() {
    let (table, rounds) = (self.table, 20_000)
    let shared = Mutex<(handle: OpaquePointer?, number: Int)>((table.create(Object()), 0))
    let wrong = Atomic(0)
    let threads = (0..<4).compactMap { index in
      Thread.start {
        for _ in 0..<rounds {
          let (handle, number) = shared.withLock { $0 }
          let isRight = try? table.use(handle) { $0.number == number }
          if isRight == false { wrong.add(1, ordering: .relaxed) }
          guard index == 0 else { continue }
          let next = (table.create(Object(number + 1)), number + 1)
          shared.withLock { $0 = next }
          _ = table.remove(handle)
        }
      }
    }
    #expect(threads.count == 4)
    for thread in threads { thread.join() }
    #expect(wrong.load(ordering: .relaxed) == 0)
  }
}

import ImmutableJSON
import Testing

@testable import ProductSupport

@Suite struct CachedValueTests {
  @Test func theFirstValueIsKept() {
    let cached = CachedValue()
    #expect(cached.value == nil)
    #expect(cached.storeIfNil(["first"]) == ["first"])
    #expect(cached.storeIfNil(["second"]) == ["first"])
    #expect(cached.value == ["first"])
  }

  @Test func concurrentThreadsGetTheSameInstance() async throws {
    final class Shared: Sendable {
      let cached = CachedValue()
    }
    for _ in 0..<100 {
      let shared = Shared()
      let arrays = await withTaskGroup(of: JSONArray?.self) { group in
        for number: Int64 in 0..<4 {
          group.addTask {
            guard case .array(let array) = shared.cached.storeIfNil([.integer(number)]) else {
              return nil
            }
            return array
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      let first = try #require(arrays[0])
      #expect(arrays.allSatisfy { $0?.isIdentical(to: first) == true })
    }
  }
}

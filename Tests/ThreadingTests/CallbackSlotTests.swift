import Testing
import Threading

@Suite struct CallbackSlotTests {
  @Test func theCurrentFunctionIsCalled() {
    let slot = CallbackSlot<Int>()
    #expect(!slot.call(0))
    nonisolated(unsafe) var calls: [String] = []
    slot.use(Callback { calls.append("first \($0)") })
    #expect(slot.call(1))
    slot.use(Callback { calls.append("second \($0)") })
    #expect(slot.call(2))
    slot.use(nil)
    #expect(!slot.call(3))
    #expect(calls == ["first 1", "second 2"])
  }
}

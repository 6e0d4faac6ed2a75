import Testing
import Threading

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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

  #if !canImport(Darwin)
    /// Forks in a process of its own, as the tests of ``ProcessGeneration`` do.
    @Test func aFunctionSetBeforeAForkIsNotCalledInTheChild() async {
      await #expect(processExitsWith: .success) {
        let slot = CallbackSlot<Int>()
        slot.use(Callback { _exit(Int32($0)) })
        let child = fork()
        if child == 0 {
          // If the call never ended, the alarm would kill the child.
          alarm(60)
          let wasCalled = slot.call(1)
          nonisolated(unsafe) var number = 0
          slot.use(Callback { number = $0 })
          _exit(!wasCalled && slot.call(2) && number == 2 ? 0 : 3)
        }
        var status: Int32 = -1
        #expect(waitpid(child, &status, 0) == child)
        #expect(status == 0)
      }
    }
  #endif
}

import Testing
import Threading

@Suite struct CallbackTests {
  /// Counts the calls of a callback, and its releases.
  private final class CallCounter: Sendable {
    struct State {
      var running = 0
      var calls = 0
      var releases = 0
      /// Whether a call was in progress at a release, or began after one.
      var isInvalid = false
    }

    let state = Mutex(State())

    func call() {
      self.state.withLock { state in
        state.running += 1
        state.calls += 1
        state.isInvalid = state.isInvalid || state.releases > 0
      }
      self.state.withLock { $0.running -= 1 }
    }

    func release() {
      self.state.withLock { state in
        state.releases += 1
        state.isInvalid = state.isInvalid || state.running > 0
      }
    }
  }

  @Test func aCancelWaitsForCallsOnOtherThreadsAndReleasesOnce() {
    for _ in 0..<20 {
      let counter = CallCounter()
      let callback = Callback<Void>({ counter.call() }, release: { counter.release() })
      let threads = (0..<4).map { _ in
        Thread.start { while callback.call(()) {} }
      }
      while counter.state.withLock({ $0.calls }) < 100 {}
      let canceller = Thread.start { callback.cancel() }
      callback.cancel()
      let (running, releases) = counter.state.withLock { ($0.running, $0.releases) }
      #expect(running == 0)
      #expect(releases == 1)
      #expect(callback.isReleased)
      for thread in threads + [canceller] { thread?.join() }
      let state = counter.state.withLock { $0 }
      #expect(!state.isInvalid)
      #expect(state.releases == 1)
    }
  }

  @Test func aCallThatCancelsItsCallbackIsTheLast() {
    let counter = CallCounter()
    let slot = CallbackSlot<Int>()
    let callback = Callback<Int>(
      { depth in
        counter.call()
        guard depth > 0 else { return }
        #expect(slot.current?.call(depth - 1) == true)
        slot.current?.cancel()
        #expect(slot.current?.call(0) == false)
        #expect(counter.state.withLock { $0.releases } == 0)
        #expect(slot.current?.isReleased == false)
      }, release: { counter.release() })
    slot.use(callback)
    #expect(callback.call(2))
    #expect(counter.state.withLock { $0.releases } == 1)
    #expect(callback.isReleased)
    #expect(!callback.call(0))
    slot.close()
    #expect(counter.state.withLock { $0.releases } == 1)
  }

  @Test func theContextIsReleasedWithACallbackThatWasNotCancelled() {
    let counter = CallCounter()
    do {
      let callback = Callback<Void>({ counter.call() }, release: { counter.release() })
      #expect(callback.call(()))
    }
    #expect(counter.state.withLock { $0.releases } == 1)
  }
}

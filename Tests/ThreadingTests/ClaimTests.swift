import TestSupport
import Testing
import Threading

@Suite struct ClaimTests {
  private struct State {
    var claim = Claim()
    var parts = Queue<Int>()
  }

  @Test func oneCallerHasIt() {
    var claim = Claim()
    let first = [claim.take(), claim.take()]
    claim.release()
    let second = claim.take()
    #expect(first == [true, false] && second)
  }

  @Test func theLastPartReleasesIt() {
    var state = State()
    state.parts.append(1)
    let claimed = state.claim.take()
    let first = state.claim.next(of: &state.parts)
    let claimedAgain = state.claim.take()
    let second = state.claim.next(of: &state.parts)
    #expect(claimed && first == 1)
    #expect(!claimedAgain && second == nil)
    let isFree = state.claim.take()
    #expect(isFree)
  }

  /// Each part is done once, by one thread at a time, and those of a thread are in order.
  @Test func threadsHandOverTheirParts() {
    let (threads, rounds) = (4, 500)
    let state = Mutex(State())
    let running = Mutex(0)
    let done = Recorder<Int>()
    onThreads(threads) { thread in
      for round in 0..<rounds {
        let isClaimed = state.withLock { state in
          state.parts.append(thread * rounds + round)
          return state.claim.take()
        }
        guard isClaimed else { continue }
        while let part = state.withLock({ $0.claim.next(of: &$0.parts) }) {
          let isAlone = running.withLock { count in
            count += 1
            return count == 1
          }
          #expect(isAlone)
          done.append(part)
          running.withLock { $0 -= 1 }
        }
      }
    }
    let all = done.all
    #expect(all.sorted() == Array(0..<(threads * rounds)))
    for thread in 0..<threads {
      let own = all.filter { $0 / rounds == thread }
      #expect(own == own.sorted())
    }
  }
}

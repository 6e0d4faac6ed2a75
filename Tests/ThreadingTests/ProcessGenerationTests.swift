import Testing
import Threading
import Glibc

@Suite struct ProcessGenerationTests {
  @Test func aGenerationStaysCurrentInItsProcess() {
    let generation = ProcessGeneration.current
    #expect(generation.isCurrent)
    #expect(generation == .current)
  }

  // Forks in a process of its own. Tests run concurrently, and the child of a fork would wait
  // forever for an initialization that another thread had begun.
  @Test func aForkStartsANewGeneration() async {
    await #expect(processExitsWith: .success) {
      let generation = ProcessGeneration.current
      let child = fork()
      if child == 0 {
        _exit(!generation.isCurrent && generation != .current ? 0 : 1)
      }
      var status: Int32 = -1
      #expect(waitpid(child, &status, 0) == child)
      #expect(status == 0)
      #expect(generation.isCurrent)
    }
  }
}

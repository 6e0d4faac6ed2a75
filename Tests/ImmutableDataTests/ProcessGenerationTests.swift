import Testing
import Threading

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if !canImport(Darwin)
  @Suite struct ProcessGenerationTests {
    @Test func aGenerationStaysCurrentInItsProcess() {
      let generation = ProcessGeneration.current
      #expect(generation.isCurrent)
      #expect(generation == .current)
    }

    // In a process of its own: the child of a fork waits forever for what another thread is just
    // initializing, and tests run side by side.
    @Test func aForkBeginsANewGeneration() async {
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
#endif

import ImmutableData
import Testing

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

    @Test func aForkBeginsANewGeneration() throws {
      let generation = ProcessGeneration.current
      let status = try exitStatusOfChild {
        if generation.isCurrent { return 1 }
        if generation == .current { return 2 }
        return ProcessGeneration.current.isCurrent ? 0 : 3
      }
      #expect(status == 0)
      #expect(generation.isCurrent)
    }
  }

  /// What `body` returns in the child of a fork. It must not allocate much: the test process has
  /// other threads.
  private func exitStatusOfChild(_ body: () -> Int32) throws -> Int32 {
    let child = fork()
    // First, as the child may wait forever for what the test library initializes in another thread.
    if child == 0 { _exit(body()) }
    try #require(child >= 0)
    var status: Int32 = 0
    try #require(waitpid(child, &status, 0) == child)
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
  }
#endif

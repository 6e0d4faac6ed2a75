import Simulation
import TestSupport
import Testing

/// Stores with logs in simulated systems that fail, crash and lose their power. `make simulate`
/// runs more of them.
@Suite struct SimulationTests {
  @Test func nothingAcknowledgedIsLost() {
    var situations: Set<Situation> = []
    for seed in seeds(500) {
      let result = Simulation.check(seed, twice: seed % 50 == 0)
      situations.formUnion(result.situations)
      if let failure = result.failure {
        Issue.record("\(result.trace.joined(separator: "\n"))\nseed \(seed): \(failure)")
      }
    }
    // 10,000 seeds must reach all; a few are rare.
    let missing = Situation.allCases.filter { !situations.contains($0) }
    #expect(missing.count < 4, "\(missing)")
  }
}

import Simulation
import TestSupport
import Testing

/// Stores with logs in simulated systems that fail, crash and lose their power. `make simulate`
/// runs more of them.
@Suite struct SimulationTests {
  @Test func nothingAcknowledgedIsLost() {
    self.run(200, Situation.ofOneWriter) { Simulation.check($0, twice: $1) }
  }

  @Test func severalWritersLoseNothing() {
    self.run(120, Situation.ofSeveralWriters) { SharedSimulation.check($0, twice: $1) }
  }

  @Test func storesOfAServerLoseNothing() {
    self.run(40, Situation.ofServers) { DriverSimulation.check($0, twice: $1) }
  }

  /// As those of files. One takes 62 seeds: `make test-simulation` finds it.
  @Test(arguments: PlantedServerFault.allCases.filter { $0 != .snapshotTooEarly })
  func plantedServerFaultsAreFound(_ fault: PlantedServerFault) {
    let isFound = (1...300).contains { DriverSimulation($0, planted: fault).run().failure != nil }
    #expect(isFound)
  }

  private func run(
    _ count: Int, _ expected: [Situation], _ check: (Int, Bool) -> Simulation.Result
  ) {
    var situations: Set<Situation> = []
    for seed in seeds(count) {
      let result = check(seed, seed % 50 == 0)
      situations.formUnion(result.situations)
      if let failure = result.failure {
        Issue.record("\(result.trace.joined(separator: "\n"))\nseed \(seed): \(failure)")
      }
    }
    // 10,000 seeds must reach all; a few are rare.
    let missing = expected.filter { !situations.contains($0) }
    #expect(missing.count < 6, "\(missing)")
  }

  /// Else the simulation would find nothing in the library, either. Two take more seeds.
  @Test(
    arguments: PlantedFault.allCases.filter { $0 != .replacementNotSeen && $0 != .copiedByTwo })
  func plantedFaultsAreFound(_ fault: PlantedFault) {
    let isFound = (1...300).contains { SharedSimulation($0, planted: fault).run().failure != nil }
    #expect(isFound)
  }
}

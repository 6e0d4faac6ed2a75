import ImmutableJSON
import StateEngine
import StateLog
import TestSupport
import Threading

/// Several stores with one log that a server keeps. Calls are lost, late and refused, stores are
/// closed at any moment, entries are trimmed, and the server is restored from an older copy. Others
/// use the log between two calls of a store. One seed decides everything.
package final class DriverSimulation: @unchecked Sendable {
  let seed: Int
  let server: SimulatedLogServer
  let system: VirtualSystem
  let planted: PlantedServerFault?
  var random: SeededGenerator
  var trace: Trace
  var situations: Set<Situation> = []

  var clients: [Client?] = []
  /// Those that are inside a call.
  var busy: Set<Int> = []
  var isFaulty = true
  var wasRestored = false
  var lastID = 0
  var failure: String?

  /// What must be in the log once, what may be, and what must not.
  var acknowledged: Set<String> = []
  var refused: Set<String> = []

  static let address = "simulated://host/log"

  /// A store, and what its rule got.
  final class Client {
    let store: AnyStore
    let seen = Recorder<Value>()
    var own: Set<String> = []
    var hasStopped = false

    init(_ store: AnyStore) {
      self.store = store
    }
  }

  package init(_ seed: Int, planted: PlantedServerFault? = nil, keepsTrace: Bool = false) {
    (self.seed, self.planted) = (seed, planted)
    self.server = SimulatedLogServer(planted: planted)
    self.system = VirtualSystem(seed)
    self.random = SeededGenerator(seed &* 7_368_787 &+ 11)
    self.trace = Trace(keepsLines: keepsTrace)
    self.clients = Array(repeating: nil, count: Int.random(in: 2...4, using: &self.random))
  }
}

// MARK: Runs

extension DriverSimulation {
  /// Runs a seed; twice, it must be the same. With a failure, again with a trace.
  package static func check(_ seed: Int, twice: Bool) -> Simulation.Result {
    let result = Self(seed).run()
    if twice, Self(seed).run().hash != result.hash {
      return Simulation.Result(
        seed: seed, hash: result.hash, failure: "a second run differs",
        situations: result.situations, trace: [])
    }
    return result.failure == nil ? result : Self(seed, keepsTrace: true).run()
  }

  package func run() -> Simulation.Result {
    self.server.setFault { [unowned self] in self.fault(of: $0) }
    self.server.setOnCall { [unowned self] _ in self.interrupt() }
    for _ in 0..<Int.random(in: 10...60, using: &self.random) where self.failure == nil {
      self.step()
    }
    self.isFaulty = false
    if self.failure == nil { self.finish() }
    for client in self.clients { client?.store.close() }
    return Simulation.Result(
      seed: self.seed, hash: self.trace.hash, failure: self.failure,
      situations: self.situations, trace: self.trace.lines)
  }
}

extension DriverSimulation.Client {
  /// Notes the actions that the rule gets.
  func listen() throws(EngineError) {
    let seen = self.seen
    try self.store.setRule { action, _, _ in
      seen.append(action)
      return []
    }
  }
}

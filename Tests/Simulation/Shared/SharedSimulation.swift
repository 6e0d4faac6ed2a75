import ImmutableJSON
import StateEngine
import StateLog
import TestSupport

/// Several programs that write one shared log, each on a ``SimulatedProcess``: any of them may run
/// between two calls of another one, and be killed or stopped there. One seed decides everything.
package final class SharedSimulation: @unchecked Sendable {
  typealias Failure = Simulation.Failure

  let seed: Int
  let system: SimulatedSystem
  let scheduler: Scheduler
  var random: SeededGenerator
  let isOptimistic: Bool
  let durability: LogDurability
  let initial: HistoryModel
  let isLong: Bool
  /// Whether programs close the log soon, so that it can be written anew.
  let isShortLived: Bool
  let planted: PlantedFault?

  /// A program in each place, and another one after its end.
  var programs: [Program?]
  /// How many steps all of them have left.
  var steps: Int
  var fold: LogFold
  /// The file that it reads, and what it begins with.
  var file: FileIdentity?
  var start: LogFold
  /// What the log is once it is written anew, and whether that is done while it is open.
  var next: (fold: LogFold, isOpen: Bool)?
  /// The files that were written anew.
  var old: [Old] = []
  /// How often the log was written anew while no program had it open.
  var generation = 0
  /// Whether a power cut may have left more than lines, until a store is opened.
  var isTorn = false
  /// Up to where the log is on the disk, and what it had there.
  var safeEnd = 0
  /// The acknowledged actions, with the end of the log at that time.
  var acknowledged: [String: Int] = [:]
  /// The actions that were refused, and must not be in the log.
  var refused: Set<String> = []
  /// The content of the log before a power cut.
  var contentBefore: [UInt8] = []
  var failure: String?
  var hasPower = true
  /// Whether one program runs, and no others may.
  private var isAlone = false
  /// Whether all programs end, and others begin, when so many steps are left.
  private let pause: Int
  private var end = 0
  /// How many calls have failed when another process began to run.
  var failures = 0

  static let path = "x.imd"

  package init(_ seed: Int, planted: PlantedFault? = nil, keepsTrace: Bool = false) {
    self.seed = seed
    self.planted = planted
    self.random = SeededGenerator(seed &* 6_700_417 &+ 3)
    let system = SimulatedSystem(seed, FaultStreams(seed &* 13), keepsTrace: keepsTrace)
    self.system = system
    let count = Int.random(in: 2...4, using: &self.random)
    self.scheduler = Scheduler(seed &* 17, tasks: count)
    self.programs = Array(repeating: nil, count: count)
    self.steps = Int.random(in: 20...60, using: &self.random)
    self.pause = self.random.isOne(in: 3) ? self.steps / 2 : 0
    self.isOptimistic = self.random.isOne(in: 2)
    self.durability = self.random.isOne(in: 3) ? .full : .normal
    var model = HistoryModel()
    model.limit = [2, 5, 100].randomElement(using: &self.random) ?? 5
    model.joinsByMeta = self.random.isOne(in: 2)
    self.initial = model
    self.isLong = self.random.isOne(in: 6)
    self.isShortLived = self.random.isOne(in: 3)
    self.start = LogFold(model)
    self.fold = self.start
  }
}

// MARK: Runs

extension SharedSimulation {
  /// A file that another one has replaced.
  struct Old {
    let file: FileIdentity?
    let generation: Int
    let start: LogFold
    /// All that was read.
    let fold: LogFold
    /// Up to where it is on the disk.
    var safeEnd: Int
    let acknowledged: [String: Int]
  }

  package func run() -> Simulation.Result {
    repeat {
      self.hasPower = true
      self.end = self.steps > self.pause ? self.pause : 0
      if self.random.isOne(in: 4) { self.compact() }
      if self.hasPower {
        self.scheduler.run { place in self.catching { try self.run(in: place) } }
      }
      self.catching { try self.checkAfterRun() }
    } while self.steps > 0 && self.failure == nil
    self.system.isCalm = true
    self.catching { try self.checkAtTheEnd() }
    self.programs = self.programs.map { _ in nil }
    self.system.endProcesses()
    return Simulation.Result(
      seed: self.seed, hash: self.system.trace.hash, failure: self.failure,
      situations: self.system.situations, trace: self.system.trace.lines)
  }

  /// Runs a seed twice, and again with its trace if it failed.
  package static func check(
    _ seed: Int, planted: PlantedFault? = nil, twice: Bool
  ) -> Simulation.Result {
    let result = SharedSimulation(seed, planted: planted).run()
    guard result.failure != nil || twice else { return result }
    let again = SharedSimulation(seed, planted: planted, keepsTrace: true).run()
    guard again.hash != result.hash else { return again }
    return Simulation.Result(
      seed: seed, hash: result.hash,
      failure: "a second run differs; \(result.failure ?? "")", situations: again.situations,
      trace: again.trace)
  }

  func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Failure(message: message()) }
  }

  func reach(_ situation: Situation) {
    self.system.situations.insert(situation)
  }

  /// The first failure ends the run.
  func catching(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      let message = (error as? Failure)?.message ?? (error as? LogFold.Problem)?.message
      self.failure = self.failure ?? message ?? "\(error)"
      let content = self.system.files.content(of: Self.path) ?? []
      self.system.trace.add(String(decoding: content, as: UTF8.self))
      self.system.trace.add("fails: \(self.failure ?? "")")
      self.system.endProcesses()
    }
  }

  var mayGoOn: Bool {
    self.steps > self.end && self.hasPower && self.failure == nil
  }

  /// Writes the log anew while no program runs.
  private func compact() {
    self.isAlone = true
    defer { self.isAlone = false }
    let program = Program(self, 0)
    self.catching { try program.compact() }
    program.end()
  }

  /// Runs programs one after the other, until the power is cut.
  private func run(in place: Int) throws {
    while self.mayGoOn {
      self.steps -= 1
      let program = Program(self, place)
      self.programs[place] = program
      defer {
        program.end()
        self.programs[place] = nil
      }
      try program.run()
    }
  }
}

// MARK: Before each call

extension SharedSimulation {
  /// Lets other processes run, and the power be cut.
  func giveWay(_ program: Program) {
    program.note(failures: self.system.failures - self.failures)
    if !self.system.isCalm {
      if !self.isAlone, self.system.faults.occurs(.stop, oneIn: 120) {
        let turns = self.system.faults.number(.stop, 1..<600)
        self.system.trace.add("\(program.process.process) is stopped for \(turns)", (20, turns))
        self.scheduler.stop(program.place, for: turns)
      }
      if self.system.faults.occurs(.powerCut, oneIn: 400) { self.cutPower() }
    }
    if program.process.isAlive, !self.isAlone { self.scheduler.giveWay() }
    self.failures = self.system.failures
  }

  /// Whether a line of the log is there in part.
  var isLineIncomplete: Bool {
    self.system.files.content(of: Self.path)?.last != UInt8(ascii: "\n")
  }

  /// Whether the process that has the right to append is stopped.
  var hasStoppedHolder: Bool {
    self.programs.contains { program in
      guard let program else { return false }
      return program.process.lockedBytes.contains(0) && self.scheduler.isStopped(program.place)
    }
  }

  private func cutPower() {
    self.followRewriting()
    self.contentBefore = self.system.files.content(of: Self.path) ?? []
    self.hasPower = false
    self.system.cutPower()
    self.isTorn = true
  }
}

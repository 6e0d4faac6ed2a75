import StateLog
import TestSupport
import Glibc

/// A machine whose files are in memory and whose calls fail, as one seed decides. Used by one
/// thread.
final class SimulatedSystem: @unchecked Sendable {
  let files: MemoryFiles
  var faults: FaultStreams
  var trace: Trace
  var situations: Set<Situation> = []

  /// Whether no call fails.
  var isCalm = false
  /// How many calls have failed.
  private(set) var failures = 0
  /// What a planted fault does not close.
  var keptOpen: [any File] = []
  /// The kinds of failures since the log was whole.
  var recentFailures: Set<FaultKind> = []
  /// How many bytes the disk still takes; `nil` unless it is nearly full.
  var room: Int?

  private var now: Int64 = 1_700_000_000_000
  /// In nanoseconds.
  private var elapsed = 0
  private var clock: SeededGenerator
  private var processes: Int32 = 100
  private var alive: [SimulatedProcess] = []

  init(_ seed: Int, _ faults: FaultStreams, keepsTrace: Bool) {
    self.files = MemoryFiles(seed: seed)
    (self.faults, self.trace) = (faults, Trace(keepsLines: keepsTrace))
    self.clock = SeededGenerator(seed &* 31)
    self.files.setFault { [unowned self] in self.fault($0) }
  }
}

// MARK: Processes

extension SimulatedSystem {
  func startProcess() -> SimulatedProcess {
    self.processes += 1
    let process = SimulatedProcess(self, self.processes)
    self.alive.append(process)
    return process
  }

  func kill(_ process: SimulatedProcess) {
    process.end()
    self.alive.removeAll { $0 === process }
  }

  func endProcesses() {
    for process in self.alive { process.end() }
    self.alive = []
  }

  /// Ends all processes, and loses what was not synced, or a part of it.
  func cutPower() {
    self.endProcesses()
    let order = self.faults.number(.tear, 0..<8)
    var isTorn = false
    self.files.cutPower { change in
      switch change {
      case .name: return self.faults[.names] ? self.faults.number(.names, 0..<2) : 0
      case .truncate: return self.faults[.tear] ? self.faults.number(.tear, 0..<2) : 0
      case .write(_, _, let count):
        guard self.faults[.tear] else { return 0 }
        switch order {
        case 0: return 0
        case 1: return count
        case 2:
          // In order, up to some byte.
          if isTorn { return 0 }
          if self.faults.number(.tear, 0..<3) > 0 { return count }
          isTorn = true
          return self.faults.number(.tear, 0..<count)
        default:
          switch self.faults.number(.tear, 0..<3) {
          case 0: return 0
          case 1: return count
          default: return self.faults.number(.tear, 0..<count)
          }
        }
      }
    }
    self.trace.add("power cut: \(self.files.paths)", (1, order))
  }
}

// MARK: Calls

extension SimulatedSystem {
  private func fault(_ call: MemoryFiles.Call) -> MemoryFiles.Fault? {
    guard !self.isCalm, let (kind, fault) = self.decide(call) else { return nil }
    self.failures += 1
    self.recentFailures.insert(kind)
    self.trace.add("  \(call) fails: \(kind)", (2, kind.rawValue))
    return fault
  }

  func noteFailure() {
    self.failures += 1
  }

  private func decide(_ call: MemoryFiles.Call) -> (FaultKind, MemoryFiles.Fault)? {
    switch call {
    case .write(_, let count):
      if let room {
        self.room = max(room - count, 0)
        if count > room { return (.fullDisk, MemoryFiles.Fault(ENOSPC, after: room)) }
      } else if self.faults.occurs(.fullDisk, oneIn: 25) {
        self.room = self.faults.number(.fullDisk, 0..<2000)
      }
      guard self.faults.occurs(.write, oneIn: 15) else { return nil }
      return (.write, MemoryFiles.Fault(after: self.faults.number(.write, 0..<count)))
    case .sync:
      guard self.faults.occurs(.sync, oneIn: 8) else { return nil }
      return (.sync, MemoryFiles.Fault(after: self.faults.number(.sync, 0..<3)))
    case .syncFolder:
      return self.faults.occurs(.folderSync, oneIn: 4) ? (.folderSync, MemoryFiles.Fault()) : nil
    case .read:
      return self.faults.occurs(.read, oneIn: 40) ? (.read, MemoryFiles.Fault()) : nil
    case .open, .truncate, .lock, .rename, .link, .remove:
      return self.faults.occurs(.call, oneIn: 15) ? (.call, MemoryFiles.Fault()) : nil
    }
  }

  /// In milliseconds.
  var uptime: Int64 {
    Int64(self.elapsed / 1_000_000)
  }

  /// A process that is not given a processor pauses longer.
  func pause(nanoseconds: Int) {
    self.elapsed += nanoseconds
    if self.clock.isOne(in: 40) {
      self.elapsed += Int.random(in: 0..<2_000_000_000, using: &self.clock)
    }
  }

  var time: Int64 {
    self.now += Int64.random(in: 0..<50, using: &self.clock)
    if self.faults.occurs(.clock, oneIn: 20) {
      self.situations.insert(.clockWentBack)
      self.now -= Int64(self.faults.number(.clock, 0..<2_000_000_000))
    }
    return self.now
  }
}

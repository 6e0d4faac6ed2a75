import StateLog
import TestSupport

/// A mistake that the simulation of shared logs must find. It is made between the library and the
/// files, so that what is tested is the library as it is.
package enum PlantedFault: String, CaseIterable, Sendable {
  case lockNotTaken = "the right to append is not taken"
  case lockReleasedEarly = "it is released before the entry is written"
  case lockOfEndedStays = "what a process that was killed had locked stays locked"
  case lifeNotLocked = "a writer does not lock what says that it lives"
  case livingTakenForEnded = "a living writer is taken for one that has ended"
  case unreadIgnored = "what others have appended is not seen"
  case readInPart = "a line that is there is read in part"
  case readEarly = "an entry can be read before its write fails"
  case failedWriteStays = "an entry that could not be written stays"
  case incompleteLineStays = "what a writer has left in part is not cut"
  case entryTwice = "an entry is written twice"
  case entryLost = "an entry is not written"
  case syncIgnored = "a log is not synced"
  case notAlone = "a log is written anew while others have it open"
  case replacementNotSeen = "a log that was written anew is not seen by its readers"
  case replacementNotSeenInTurn = "a log that was written anew is not seen by its writers"
  case replacedWithoutTurn = "a log is replaced without the right to append"
  case copiedByTwo = "a log is written anew by two stores at once"
  case copyNotSynced = "what is written anew is not synced before it replaces the log"
  case nameNotSynced = "the name of what replaces a log is not synced"
}

/// An open file of a process with a planted fault.
final class PlantedFile: File, @unchecked Sendable {
  /// What the files of a process have in common.
  final class State {
    let fault: PlantedFault
    let system: SimulatedSystem
    unowned let process: SimulatedProcess
    var random: SeededGenerator
    weak var locks: PlantedFile?

    init(_ fault: PlantedFault, _ system: SimulatedSystem, _ process: SimulatedProcess) {
      (self.fault, self.system, self.process) = (fault, system, process)
      self.random = SeededGenerator(process.process)
    }
  }

  private let state: State
  private let file: any File
  private let isLog: Bool
  private let isCopy: Bool
  /// Has the locks instead, and is not closed when the process ends.
  private var stays: (any File)?
  /// How many bytes of the log the process knows.
  private var known = 0
  /// Where a line seems to end in part.
  private var hidden: Int?

  init(_ state: State, _ path: String, _ file: any File) {
    (self.state, self.file) = (state, file)
    self.isCopy = path.hasPrefix(SharedSimulation.path + "-new")
    self.isLog = path == SharedSimulation.path || self.isCopy
    guard path == SharedSimulation.path + "-lock" else { return }
    state.locks = self
    guard state.fault == .lockOfEndedStays else { return }
    self.stays = try? state.system.files.open(path, .write)
    if let stays { state.system.keptOpen.append(stays) }
  }
}

extension PlantedFile {
  private func has(_ fault: PlantedFault) -> Bool {
    self.isLog && self.state.fault == fault
  }

  var identity: FileIdentity {
    self.file.identity
  }

  func size() throws(LogError) -> Int {
    let size = try self.file.size()
    return self.has(.unreadIgnored) && self.known > 0 ? min(self.known, size) : size
  }

  func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(LogError) -> Int {
    let count = try self.file.read(at: offset, into: buffer)
    self.known = max(self.known, offset + count)
    guard self.has(.readInPart), buffer.count > 1000 else { return count }
    if self.hidden == offset {
      self.hidden = nil
      return 0
    }
    guard count > 100, self.state.random.isOne(in: 8) else { return count }
    self.hidden = offset + count - 50
    return count - 50
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(LogError) {
    // Not the first lines.
    guard self.isLog, offset > 0 else { return try self.file.write(bytes, at: offset) }
    self.known = max(self.known, offset + bytes.count)
    if self.state.fault == .lockReleasedEarly { self.state.locks?.unlock(byte: 0) }
    let isNow = self.state.random.isOne(in: 6)
    if self.state.fault == .entryLost, isNow { return }
    try self.file.write(bytes, at: offset)
    guard isNow else { return }
    switch self.state.fault {
    case .entryTwice: try self.file.write(bytes, at: offset + bytes.count)
    case .readEarly, .failedWriteStays:
      self.state.system.noteFailure()
      // Others may read it.
      _ = try self.file.size()
      throw LogError(.io, "cannot write: planted")
    default: break
    }
  }

  func sync() throws(LogError) {
    let isCopy = self.isCopy && self.state.process.isWriter
    if self.has(.syncIgnored) || isCopy && self.has(.copyNotSynced) { return }
    try self.file.sync()
  }

  func truncate(to size: Int) throws(LogError) {
    if self.has(.failedWriteStays) || self.has(.incompleteLineStays) { return }
    try self.file.truncate(to: size)
  }

  func copyAccess(of file: any File) {}

  func lock() throws(LogError) -> Bool {
    try self.file.lock()
  }

  func lock(byte: Int, isShared: Bool) throws(LogError) -> Bool {
    let isLife = byte >= 64
    switch self.state.fault {
    case .lockNotTaken where byte == 0: return true
    case .replacedWithoutTurn where byte == 0 && self.state.process.lockedBytes.contains(2):
      return true
    case .copiedByTwo where byte == 2: return true
    case .lifeNotLocked where isLife: return true
    case .notAlone where byte == 1 && !isShared: return true
    case .livingTakenForEnded where isLife:
      _ = try self.file.lock(byte: byte, isShared: isShared)
      return true
    default: return try (self.stays ?? self.file).lock(byte: byte, isShared: isShared)
    }
  }

  func unlock(byte: Int) {
    guard self.state.process.isAlive else { return }
    (self.stays ?? self.file).unlock(byte: byte)
  }
}

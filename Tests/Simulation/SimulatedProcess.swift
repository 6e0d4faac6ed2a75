import StateLog
import TestSupport
import Glibc

/// A process of a ``SimulatedSystem``. After its end all its calls fail.
final class SimulatedProcess: FileSystem, @unchecked Sendable {
  private let system: SimulatedSystem
  let process: Int32
  private(set) var isAlive = true

  /// How many calls are left until the process ends; `nil` for no end.
  var callsLeft: Int?
  /// Called before each call: other processes may run meanwhile, and end this one.
  var onCall: () -> Void = {}
  /// Called before a file gets another name.
  var onRename: (_ path: String, _ newPath: String) -> Void = { _, _ in }
  /// Called before the end of the process.
  var onEnd: () -> Void = {}
  /// How many of the bytes that are left a part of a write has at most.
  var pieceSize: (Int) -> Int = { $0 }
  /// Called when a file was made: what follows must not be interrupted, or can be repaired.
  var onCreation: (String) -> Void = { _ in }
  /// Replaces a file that is opened.
  var replace: (any File, _ path: String) -> any File = { file, _ in file }
  /// Whether the name of a file gets on the disk.
  var syncsNames: () -> Bool = { true }
  /// Replaces what is known of a file.
  var replaceStatus: (FileStatus, _ path: String) -> FileStatus = { status, _ in status }
  /// The last call, which tells what a crash interrupted.
  private(set) var interrupted = ""
  /// The paths of files that were opened or made, and of those that were made.
  private(set) var opened: Set<String> = []
  private(set) var made: Set<String> = []
  /// Whether the last rename or link was not followed by a sync of the folder.
  private(set) var hasUnsyncedName = false
  /// Which bytes of files it has locked.
  fileprivate(set) var lockedBytes: Set<Int> = []

  /// Whether it has a shared log open to write.
  var isWriter: Bool {
    self.lockedBytes.contains { $0 >= 64 }
  }

  /// To which size a file was cut.
  var truncated: [String: Int] = [:]

  private struct Opened {
    weak var file: SimulatedFile?
  }
  private var open: [Opened] = []

  init(_ system: SimulatedSystem, _ process: Int32) {
    (self.system, self.process) = (system, process)
  }
}

extension SimulatedProcess {
  func end() {
    self.isAlive = false
    self.lockedBytes = []
    for opened in self.open { opened.file?.close() }
    self.open = []
  }

  /// Whether this call is the last one; it is done in part, if it can be.
  fileprivate func isLast(_ name: StaticString, _ path: String) -> Bool {
    self.system.trace.add("  \(self.process): \(name) \(path)", (3, path.utf8.count))
    guard let left = self.callsLeft else { return false }
    self.callsLeft = left - 1
    guard left <= 0 else { return false }
    self.interrupted = "\(name) \(path)"
    self.onEnd()
    self.system.trace.add("  \(self.process) ends in \(self.interrupted)", (4, 0))
    return true
  }

  fileprivate func begin(_ name: StaticString, _ path: String) throws(LogError) {
    if self.isAlive { self.onCall() }
    guard self.isAlive else { throw LogError("use", EBADF, path) }
    guard self.isLast(name, path) else { return }
    self.end()
    throw LogError("use", EBADF, path)
  }

  func resolve(_ path: String) throws(LogError) -> String {
    path
  }

  func open(_ path: String, _ mode: OpenMode) throws(LogError) -> any File {
    try self.begin(mode.makesFile ? "create" : "open", path)
    let file = SimulatedFile(self, path, try self.system.files.open(path, mode))
    self.opened.insert(path)
    self.open.append(Opened(file: file))
    if mode.makesFile {
      self.made.insert(path)
      self.onCreation(path)
    }
    return self.replace(file, path)
  }

  func rename(_ path: String, to newPath: String) throws(LogError) {
    try self.begin("rename", path)
    self.onRename(path, newPath)
    try self.system.files.rename(path, to: newPath)
    self.hasUnsyncedName = true
  }

  func link(_ path: String, to newPath: String) throws(LogError) {
    try self.begin("link", path)
    try self.system.files.link(path, to: newPath)
    self.hasUnsyncedName = true
  }

  func remove(_ path: String) throws(LogError) {
    try self.begin("remove", path)
    try self.system.files.remove(path)
    if path.hasSuffix("-new"), !self.made.contains(path) {
      self.system.situations.insert(.leftoverRemoved)
    }
  }

  func syncFolder(of path: String) throws(LogError) {
    try self.begin("sync the folder of", path)
    if self.syncsNames() { try self.system.files.syncFolder(of: path) }
    self.hasUnsyncedName = false
  }

  func status(of path: String) throws(LogError) -> FileStatus? {
    try self.begin("look for", path)
    return self.system.files.status(of: path).map { self.replaceStatus($0, path) }
  }

  var time: Int64 {
    self.system.time
  }

  func randomBits(_ count: Int) -> [UInt8] {
    self.system.files.randomBits(count)
  }

  func networkFileSystem(of path: String) -> String? {
    nil
  }

  var uptime: Int64 {
    self.system.uptime
  }

  func pause(nanoseconds: Int) {
    self.system.situations.insert(.lockAwaited)
    self.system.pause(nanoseconds: nanoseconds)
  }

  func holder(of file: FileIdentity, byte: Int?) -> LockHolder? {
    nil
  }
}

/// An open file of a ``SimulatedProcess``.
private final class SimulatedFile: File, @unchecked Sendable {
  private unowned let process: SimulatedProcess
  private let path: String
  private var file: (any File)?
  let identity: FileIdentity

  init(_ process: SimulatedProcess, _ path: String, _ file: any File) {
    (self.process, self.path, self.file) = (process, path, file)
    self.identity = file.identity
  }

  func close() {
    self.file = nil
  }

  private func begin(_ name: StaticString) throws(LogError) -> any File {
    try self.process.begin(name, self.path)
    guard let file else { throw LogError("use", EBADF, self.path) }
    return file
  }

  func size() throws(LogError) -> Int {
    try self.begin("size of").size()
  }

  func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(LogError) -> Int {
    try self.begin("read").read(at: offset, into: buffer)
  }

  /// Writes page by page, or in smaller parts: each can be lost alone.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(LogError) {
    let page = 4096
    self.process.mix(bytes)
    var at = 0
    while at < bytes.count {
      let rest = min(page - (offset + at) % page, bytes.count - at)
      let count = self.process.pieceSize(rest)
      try self.begin("write").write(
        UnsafeRawBufferPointer(rebasing: bytes[at..<at + count]), at: offset + at)
      at += count
    }
  }

  func sync() throws(LogError) {
    try self.begin("sync").sync()
  }

  func truncate(to size: Int) throws(LogError) {
    try self.begin("truncate").truncate(to: size)
    self.process.truncated[self.path] = size
  }

  func copyAccess(of file: any File) {}

  func lock() throws(LogError) -> Bool {
    try self.begin("lock").lock()
  }

  func lock(byte: Int, isShared: Bool) throws(LogError) -> Bool {
    let isLocked = try self.begin("lock").lock(byte: byte, isShared: isShared)
    if isLocked { self.process.lockedBytes.insert(byte) }
    return isLocked
  }

  func unlock(byte: Int) {
    if self.process.isAlive { self.process.onCall() }
    self.file?.unlock(byte: byte)
    self.process.lockedBytes.remove(byte)
  }
}

extension SimulatedProcess {
  fileprivate func mix(_ bytes: UnsafeRawBufferPointer) {
    self.system.trace.mix(bytes)
  }
}

import StateLog
import Synchronization
import Threading
import Glibc

/// An open file of ``MemoryFiles``.
final class MemoryFile: File {
  private let files: MemoryFiles
  private let node: MemoryFiles.Node
  private let process: Int32
  /// How many failed syncs of the file it has reported, or need not report.
  private let knownFailures: Atomic<Int>

  init(_ files: MemoryFiles, _ node: MemoryFiles.Node, _ process: Int32) {
    (self.files, self.node, self.process) = (files, node, process)
    self.knownFailures = Atomic(files.state.withLock { _ in node.failedSyncs })
  }

  deinit {
    let (node, file) = (self.node, ObjectIdentifier(self))
    self.files.state.withLock { _ in
      if node.holder?.file == file { node.holder = nil }
      node.lockedBytes.removeAll { $0.file == file }
    }
  }

  var identity: FileIdentity {
    self.node.identity
  }

  private var path: String {
    self.files.state.withLock { _ in self.node.path }
  }
}

extension MemoryFile {
  func size() throws(LogError) -> Int {
    try self.use("read") { $0.content.count }
  }

  func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(LogError) -> Int {
    if let fault = self.files.call(.read(self.path)) {
      throw LogError("read", fault.number, self.path)
    }
    return try self.use("read") { node in
      let bytes = node.content.dropFirst(offset).prefix(buffer.count)
      buffer.copyBytes(from: bytes)
      return bytes.count
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(LogError) {
    let fault = self.files.call(.write(self.path, count: bytes.count))
    let written = Array(fault.map { bytes.prefix($0.count) } ?? bytes[...])
    try self.use("write") { node in
      node.change(.write(path: node.path, offset: offset, count: written.count), written)
    }
    if let fault { throw LogError("write", fault.number, self.path) }
  }

  func sync() throws(LogError) {
    let changes = try self.use("sync") { $0.changes.count }
    let fault = self.files.call(.sync(self.path))
    let hasFailed = try self.use("sync") { node in
      if fault != nil { node.failedSyncs += 1 }
      let known = self.knownFailures.exchange(node.failedSyncs, ordering: .relaxed)
      let synced = node.changes.prefix(changes)
      node.changes.removeFirst(synced.count)
      // If it fails, the system regards as written what it was to write.
      for (change, bytes) in synced.prefix(fault?.count ?? synced.count) {
        node.syncedContent.apply(change, bytes, upTo: .max)
      }
      return known < node.failedSyncs
    }
    if hasFailed { throw LogError("sync", fault?.number ?? EIO, self.path) }
  }

  func truncate(to size: Int) throws(LogError) {
    if let fault = self.files.call(.truncate(self.path)) {
      throw LogError("write", fault.number, self.path)
    }
    try self.use("write") { node in node.change(.truncate(path: node.path, size: size), []) }
  }

  func copyAccess(of file: any File) {}

  func lock() throws(LogError) -> Bool {
    if let fault = self.files.call(.lock(self.path)) {
      throw LogError("lock", fault.number, self.path)
    }
    return try self.use("lock") { node in
      guard node.holder == nil || node.holder?.file == ObjectIdentifier(self) else { return false }
      node.holder = (ObjectIdentifier(self), self.process)
      return true
    }
  }

  func lock(byte: Int, isShared: Bool) throws(LogError) -> Bool {
    if let fault = self.files.call(.lock(self.path)) {
      throw LogError("lock", fault.number, self.path)
    }
    return try self.use("lock") { node in
      let others = node.lockedBytes.filter {
        $0.byte == byte && $0.file != ObjectIdentifier(self) && !(isShared && $0.isShared)
      }
      guard others.isEmpty else { return false }
      node.unlock(byte, ObjectIdentifier(self))
      node.lockedBytes.append((byte, ObjectIdentifier(self), isShared))
      return true
    }
  }

  func unlock(byte: Int) {
    self.files.state.withLock { _ in self.node.unlock(byte, ObjectIdentifier(self)) }
  }

  /// Uses the file, unless its process was killed.
  private func use<Result>(
    _ call: String, _ body: (MemoryFiles.Node) -> Result
  ) throws(LogError) -> Result {
    let result = self.files.state.withLock { state in
      state.process == self.process ? body(self.node) : nil
    }
    guard let result else { throw LogError(call, EBADF, self.path) }
    return result
  }
}

extension MemoryFiles.Node {
  fileprivate func unlock(_ byte: Int, _ file: ObjectIdentifier) {
    self.lockedBytes.removeAll { $0.byte == byte && $0.file == file }
  }

  fileprivate func change(_ change: MemoryFiles.Change, _ bytes: [UInt8]) {
    self.content.apply(change, bytes, upTo: .max)
    self.changes.append((change, bytes))
  }
}

import StateLog
import Threading
import Glibc

/// A system of files in memory, for tests. Its calls can fail, its processes can be killed, and its
/// power can be cut.
///
/// What was written is in the memory of the system until it is synced: a power cut loses it, or
/// what the test chooses. A sync that fails forgets what it was to write, as systems do: a later
/// sync succeeds without it. First, each other descriptor that was open then has its failure, too.
package final class MemoryFiles: FileSystem {
  /// A call, with the path of the file.
  package enum Call: Equatable, Sendable {
    case open(String, OpenMode)
    case read(String)
    case write(String, count: Int)
    case sync(String)
    case truncate(String)
    case lock(String)
    case rename(String)
    case link(String)
    case remove(String)
    case syncFolder
  }

  /// How a call fails.
  package struct Fault: Sendable {
    let number: Int32
    let count: Int

    /// - Parameters:
    ///   - number: The error number.
    ///   - count: How many bytes a call that writes has written nevertheless, or how many changes
    ///     a sync.
    package init(_ number: Int32 = EIO, after count: Int = 0) {
      (self.number, self.count) = (number, count)
    }
  }

  /// A change of a file, or of names, that is not on the disk.
  package enum Change: Sendable {
    case write(path: String, offset: Int, count: Int)
    case truncate(path: String, size: Int)
    case name(path: String)
  }

  struct State {
    var names: [String: Node] = [:]
    /// Since the names were synced.
    var changedNames: [(path: String, node: Node?)] = []
    var syncedNames: [String: Node] = [:]
    var nodes: UInt64 = 0
    var process: Int32 = 1
    var time: Int64 = 1_700_000_000_000
    var generator: SeededGenerator
    var isRecording = false
    var calls: [Call] = []
    var fault: (@Sendable (Call) -> Fault?)?
  }

  let state: Mutex<State>

  package init(seed: Int = 1) {
    self.state = Mutex(State(generator: SeededGenerator(seed)))
  }

  /// What has a name. Used with the lock of the state held.
  final class Node: @unchecked Sendable {
    let identity: FileIdentity
    var path: String
    var content: [UInt8] = []
    var syncedContent: [UInt8] = []
    var changes: [(Change, bytes: [UInt8])] = []
    var holder: (file: ObjectIdentifier, process: Int32)?
    var lockedBytes: [(byte: Int, file: ObjectIdentifier, isShared: Bool)] = []
    /// How many syncs have failed.
    var failedSyncs = 0

    init(_ inode: UInt64, _ path: String) {
      self.identity = FileIdentity(device: 1, inode: inode)
      self.path = path
    }
  }
}

// MARK: What tests do

extension MemoryFiles {
  /// Lets calls fail. The function may also wait.
  package func setFault(_ fault: (@Sendable (Call) -> Fault?)?) {
    self.state.withLock { $0.fault = fault }
  }

  package var fault: (@Sendable (Call) -> Fault?)? {
    self.state.withLock { $0.fault }
  }

  /// Sets the clock.
  package func setTime(_ time: Int64) {
    self.state.withLock { $0.time = time }
  }

  /// The calls since ``record()``, except those that read.
  package var calls: [Call] {
    self.state.withLock { $0.calls }
  }

  package func record() {
    self.state.withLock { ($0.isRecording, $0.calls) = (true, []) }
  }

  package func content(of path: String) -> [UInt8]? {
    self.state.withLock { $0.names[path]?.content }
  }

  /// What is on the disk.
  package func syncedContent(of path: String) -> [UInt8]? {
    self.state.withLock { $0.syncedNames[path]?.syncedContent }
  }

  /// Writes a file, or removes it, as another program.
  package func setContent(of path: String, to content: [UInt8]?) {
    self.state.withLock { state in
      guard let content else { return state.setName(path, nil) }
      let node = state.names[path] ?? state.makeNode(path)
      (node.content, node.syncedContent, node.changes) = (content, content, [])
      state.setName(path, node)
      state.syncedNames[path] = node
    }
  }

  package var paths: [String] {
    self.state.withLock { $0.names.keys.sorted() }
  }

  /// Ends the process that has files open, without a last call. Its files fail from now on.
  package func killProcess() {
    self.state.withLock { state in
      state.process += 1
      for node in state.names.values { (node.holder, node.lockedBytes) = (nil, []) }
    }
  }

  /// Ends the process, and loses what is not on the disk.
  ///
  /// - Parameter keep: Chooses what has reached the disk nevertheless, change by change: all, or
  ///   the first bytes of what was written; 0 for nothing.
  package func cutPower(keeping keep: (Change) -> Int = { _ in 0 }) {
    self.killProcess()
    self.state.withLock { state in
      for (path, node) in state.changedNames where keep(.name(path: path)) > 0 {
        state.syncedNames[path] = node
      }
      (state.names, state.changedNames) = (state.syncedNames, [])
      for path in state.names.keys.sorted() {
        guard let node = state.names[path] else { continue }
        for (change, bytes) in node.changes {
          node.syncedContent.apply(change, bytes, upTo: keep(change))
        }
        (node.content, node.changes) = (node.syncedContent, [])
      }
    }
  }
}

extension MemoryFiles.State {
  mutating func makeNode(_ path: String) -> MemoryFiles.Node {
    self.nodes += 1
    return MemoryFiles.Node(self.nodes, path)
  }

  mutating func setName(_ path: String, _ node: MemoryFiles.Node?) {
    self.names[path] = node
    node?.path = path
    self.changedNames.append((path, node))
  }
}

extension [UInt8] {
  mutating func apply(_ change: MemoryFiles.Change, _ bytes: [UInt8], upTo limit: Int) {
    switch change {
    case .write(_, let offset, _):
      let bytes = bytes.prefix(limit)
      guard !bytes.isEmpty else { return }
      self.setSize(Swift.max(self.count, offset + bytes.count))
      self.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    case .truncate(_, let size):
      if limit > 0 { self.setSize(size) }
    case .name:
      break
    }
  }

  fileprivate mutating func setSize(_ size: Int) {
    if size < self.count {
      self.removeLast(self.count - size)
    } else {
      self += [UInt8](repeating: 0, count: size - self.count)
    }
  }
}

// MARK: The system

extension MemoryFiles {
  package func resolve(_ path: String) -> String {
    path
  }

  package func open(_ path: String, _ mode: OpenMode) throws(LogError) -> any File {
    if let fault = self.call(.open(path, mode)) { throw LogError("open", fault.number, path) }
    let (node, process) = try self.change { state throws(LogError) in
      let found = state.names[path]
      guard mode.makesFile else {
        guard let found else { throw LogError("open", ENOENT, path) }
        return (found, state.process)
      }
      guard found == nil else { throw LogError("create", EEXIST, path) }
      let node = state.makeNode(path)
      state.setName(path, node)
      return (node, state.process)
    }
    return MemoryFile(self, node, process)
  }

  package func rename(_ path: String, to newPath: String) throws(LogError) {
    if let fault = self.call(.rename(path)) { throw LogError("rename", fault.number, path) }
    try self.change { state throws(LogError) in
      guard let node = state.names[path] else { throw LogError("rename", ENOENT, path) }
      state.setName(newPath, node)
      state.setName(path, nil)
    }
  }

  package func link(_ path: String, to newPath: String) throws(LogError) {
    if let fault = self.call(.link(path)) { throw LogError("create", fault.number, newPath) }
    try self.change { state throws(LogError) in
      guard let node = state.names[path] else { throw LogError("create", ENOENT, newPath) }
      guard state.names[newPath] == nil else { throw LogError("create", EEXIST, newPath) }
      state.setName(newPath, node)
    }
  }

  package func remove(_ path: String) throws(LogError) {
    if let fault = self.call(.remove(path)) { throw LogError("remove", fault.number, path) }
    try self.change { state throws(LogError) in
      guard state.names[path] != nil else { throw LogError("remove", ENOENT, path) }
      state.setName(path, nil)
    }
  }

  package func syncFolder(of path: String) throws(LogError) {
    if let fault = self.call(.syncFolder) { throw LogError("sync", fault.number, path) }
    self.state.withLock { state in
      (state.syncedNames, state.changedNames) = (state.names, [])
    }
  }

  package func status(of path: String) -> FileStatus? {
    self.state.withLock { state in
      state.names[path].map { FileStatus($0.identity, size: $0.content.count) }
    }
  }

  package var time: Int64 {
    self.state.withLock { state in
      state.time += 1
      return state.time
    }
  }

  package var uptime: Int64 {
    Clock.uptime
  }

  package func randomBits(_ count: Int) -> [UInt8] {
    self.state.withLock { state in
      (0..<count / 8).map { _ in UInt8.random(in: .min ... .max, using: &state.generator) }
    }
  }

  package var process: Int32 {
    self.state.withLock { $0.process }
  }

  package func networkFileSystem(of path: String) -> String? {
    nil
  }

  package func pause(nanoseconds: Int) {
    sched_yield()
  }

  package func holder(of file: FileIdentity, byte: Int?) -> LockHolder? {
    self.state.withLock { state in
      state.names.values.first { $0.identity == file }?.holder.map {
        LockHolder(process: $0.process, isStopped: false)
      }
    }
  }

  /// Records a call, and decides about it.
  func call(_ call: Call) -> Fault? {
    let fault = self.state.withLock { state in
      if case .read = call {} else if state.isRecording { state.calls.append(call) }
      return state.fault
    }
    return fault?(call)
  }

  private func change<Result>(
    _ body: (inout State) throws(LogError) -> Result
  ) throws(LogError) -> Result {
    try self.state.withLock(body)
  }
}

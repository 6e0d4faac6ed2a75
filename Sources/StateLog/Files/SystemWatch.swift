import Threading
import Glibc

/// A watch of a file of the system, with inotify.
///
/// All watches of the process share an instance of inotify, of which a user may have few, and the
/// thread that reads its events. Both end with the last watch.
final class SystemWatch: FileWatch {
  private let key: Watcher.Key
  private let process = ProcessGeneration.current

  init?(_ path: String, _ onEvent: @escaping @Sendable (WatchEvent) -> Void) {
    Watcher.endInChildren()
    let key = Watcher.current.withLock { current in
      current = current ?? Watcher()
      return current?.add(path, onEvent)
    }
    guard let key else {
      Watcher.endIfUnused()
      return nil
    }
    self.key = key
  }

  deinit {
    guard self.process.isCurrent else { return }
    let key = self.key
    // Released without the lock.
    _ = Watcher.current.withLock { $0?.remove(key) }
    Watcher.endIfUnused()
  }
}

/// The instance of inotify, and its thread. Used with the lock of ``current`` held, except where
/// said otherwise.
private final class Watcher: @unchecked Sendable {
  /// The one of this process, while it has watches.
  static let current = Mutex<Watcher?>(nil)

  typealias Function = @Sendable (WatchEvent) -> Void

  struct Key: Sendable {
    /// The number that inotify has for the file: the same for all watches of it.
    let file: Int32
    let watch: Int
  }

  private let descriptor: Int32
  /// A watch of nothing that happens: removing it is an event, which wakes the thread.
  private let alarm: Int32
  private var thread: Thread?
  /// Those of the watches, by the numbers of their keys.
  private var functions: [Int32: [Int: Function]] = [:]
  private var lastWatch = 0

  private static let handler: Void = ForkHandlers.addForChild {
    // The thread does not exist there.
    current.reinitializeAfterFork { _ in nil }
  }

  static func endInChildren() {
    OpenDescriptors.closeInChildren()
    _ = self.handler
  }

  init?() {
    self.descriptor = ForkLock.shared.excludingForks {
      let descriptor = aboveStandardStreams(inotify_init1(Int32(IN_CLOEXEC)))
      if descriptor >= 0 { OpenDescriptors.insert(descriptor) }
      return descriptor
    }
    guard self.descriptor >= 0 else { return nil }
    self.alarm = inotify_add_watch(self.descriptor, "/", UInt32(IN_DELETE_SELF))
    guard self.alarm >= 0 else { return nil }
    self.thread = Thread.start { self.run() }
    guard self.thread != nil else { return nil }
  }

  // Nobody reads from it: the thread has a reference.
  deinit {
    let descriptor = self.descriptor
    ForkLock.shared.excludingForks {
      OpenDescriptors.remove(descriptor)
      close(descriptor)
    }
  }
}

extension Watcher {
  /// - Returns: `nil` if the file cannot be watched.
  func add(_ path: String, _ onEvent: @escaping Function) -> Key? {
    let events = IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF
    let file = inotify_add_watch(self.descriptor, path, UInt32(events) | UInt32(IN_DONT_FOLLOW))
    guard file >= 0 else { return nil }
    self.lastWatch += 1
    self.functions[file, default: [:]][self.lastWatch] = onEvent
    return Key(file: file, watch: self.lastWatch)
  }

  func remove(_ key: Key) -> Function? {
    let function = self.functions[key.file]?.removeValue(forKey: key.watch)
    if self.functions[key.file]?.isEmpty == true {
      self.functions[key.file] = nil
      // Fails if the file was deleted.
      inotify_rm_watch(self.descriptor, key.file)
    }
    return function
  }

  /// Ends the thread and the instance if there are no watches. Called without the lock, which the
  /// thread takes.
  static func endIfUnused() {
    let unused = self.current.withLock { current in
      current?.functions.isEmpty == true ? current.take() : nil
    }
    guard let unused else { return }
    inotify_rm_watch(unused.descriptor, unused.alarm)
    unused.thread?.join()
  }
}

// MARK: The thread

extension Watcher {
  /// How long events wait at most after others, in nanoseconds.
  private static var interval: Int { 500_000 }

  /// Calls the functions of watches, without the lock, until this is not the current one.
  private func run() {
    while let events = self.nextEvents() {
      let calls = Self.current.withLock { current -> [(Function, WatchEvent)]? in
        guard current === self else { return nil }
        // A full queue has lost events of all.
        let events = events[-1] == nil ? events : self.functions.mapValues { _ in .moved }
        return events.flatMap { file, event in
          (self.functions[file] ?? [:]).values.map { ($0, event) }
        }
      }
      guard let calls else { return }
      for (function, event) in calls { function(event) }
      // Further writes are one event: a busy log would wake the thread for each.
      SystemFiles().pause(nanoseconds: Self.interval)
    }
  }

  /// Waits for events, and returns one for each file that has some. `nil` if the instance
  /// cannot be read.
  private func nextEvents() -> [Int32: WatchEvent]? {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      let count = read(self.descriptor, buffer.baseAddress, buffer.count)
      guard count > 0 else { return errno == EINTR ? [:] : nil }
      var events: [Int32: WatchEvent] = [:]
      var rest = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      let size = MemoryLayout<inotify_event>.size
      while rest.count >= size {
        let event = rest.loadUnaligned(as: inotify_event.self)
        if event.mask != UInt32(IN_MODIFY) {
          events[event.wd] = .moved
        } else if events[event.wd] == nil {
          events[event.wd] = .written
        }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(size + Int(event.len)))
      }
      return events
    }
  }
}

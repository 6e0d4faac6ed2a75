import Synchronization
import Threading

/// The open streams of one store.
public final class StreamRegistrar<Element>: Sendable where Element: Sendable {
  /// Guards the properties below.
  private let access = Lock()
  nonisolated(unsafe) private var writers: [any StreamWriter<Element>] = []
  /// Copies of `writers` that were used under the dispatch lock. They may have the last references
  /// to streams, so ``endWrites()`` returns them, to be released without the lock.
  nonisolated(unsafe) private var copies: [[any StreamWriter<Element>]] = []
  nonisolated(unsafe) private var countedOverruns = 0
  nonisolated(unsafe) private var isFinished = false

  /// The number of writers, which is read without the lock. It changes with the lock held.
  private let count = Atomic(0)

  /// Whether there are copies. It changes with the lock held.
  private let hasCopies = Atomic(false)

  public init() {}

  deinit {
    self.finish()
  }
}

private final class WriterCopies<Element: Sendable> {
  private let copies: [[any StreamWriter<Element>]]

  init(_ copies: [[any StreamWriter<Element>]]) {
    self.copies = copies
  }
}

// MARK: Making streams

extension StreamRegistrar {
  /// Makes a stream that holds up to 1,024 unread elements, and ends when one more arrives.
  public func makeStream() -> AsyncStream<Element> {
    self.makeStream { $0 }
  }

  /// Makes a stream of converted elements.
  func makeStream<Output: Sendable>(
    _ convert: @escaping @Sendable (Element) -> Output
  ) -> AsyncStream<Output> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Output.self, bufferingPolicy: .bufferingOldest(1024))
    let writer = ConvertingWriter(AsyncStreamWriter(continuation), convert)
    self.add(writer)
    continuation.onTermination = { [weak self, weak writer] _ in
      if let writer { self?.remove(writer) }
    }
    return stream
  }

  /// Makes a stream that holds up to `capacity` unread elements, for a task.
  public func makeStream(capacity: Int, overflow: OverflowPolicy) -> BoundedStream<Element> {
    BoundedStream(reader: self.makeReader(capacity: capacity, overflow: overflow))
  }

  /// Makes a stream of converted elements, for a task.
  func makeStream<Output: Sendable>(
    capacity: Int, overflow: OverflowPolicy, _ convert: @escaping @Sendable (Element) -> Output
  ) -> BoundedStream<Output> {
    let buffer = StreamBuffer<Output>(capacity: capacity, policy: overflow) { _ in true }
    let writer = ConvertingWriter(buffer, convert)
    self.add(writer)
    let reader = StreamReader(buffer) { [weak self, weak writer] in
      if let writer { self?.remove(writer) }
    }
    return BoundedStream(reader: reader)
  }

  /// Makes a stream of the elements for which `isIncluded` returns `true`, for a thread.
  public func makeReader(
    capacity: Int, overflow: OverflowPolicy,
    where isIncluded: @escaping @Sendable (Element) -> Bool = { _ in true }
  ) -> StreamReader<Element> {
    let buffer = StreamBuffer(capacity: capacity, policy: overflow, isIncluded: isIncluded)
    self.add(buffer)
    return StreamReader(buffer) { [weak self] in
      self?.remove(buffer)
    }
  }

  private func add(_ writer: any StreamWriter<Element>) {
    self.access.lock()
    let isFinished = self.isFinished
    if !isFinished {
      self.writers.append(writer)
      self.count.store(self.writers.count, ordering: .releasing)
    }
    self.access.unlock()
    if isFinished { writer.finish() }
  }

  private func remove(_ writer: any StreamWriter<Element>) {
    self.access.lock()
    defer { self.access.unlock() }
    self.writers.removeAll { $0 === writer }
    self.count.store(self.writers.count, ordering: .releasing)
  }
}

// MARK: Writing

extension StreamRegistrar {
  /// Writes an element to every stream.
  public func yield(_ element: Element) {
    self.write(element)
    let copies = self.endWrites()
    self.flush()
    withExtendedLifetime(copies) {}
  }

  /// Writes an element to every stream. A caller that holds a lock calls ``endWrites()`` with the
  /// lock, and ``flush()`` without it.
  func write(_ element: Element) {
    guard !self.isEmpty else { return }
    for writer in self.openWriters {
      self.write(element, to: writer)
    }
  }

  /// Writes all elements to every stream, even those beyond the capacity of a stream with
  /// ``OverflowPolicy/block``.
  func write(_ elements: some Collection<Element>) {
    guard !self.isEmpty else { return }
    for writer in self.openWriters {
      for element in elements {
        self.write(element, to: writer)
      }
    }
  }

  /// Returns what the caller releases without locks; `nil` if there is nothing. Not a generic type:
  /// each dispatch calls this.
  func endWrites() -> AnyObject? {
    guard self.hasCopies.load(ordering: .acquiring) else { return nil }
    self.access.lock()
    defer { self.access.unlock() }
    self.hasCopies.store(false, ordering: .releasing)
    defer { self.copies = [] }
    return WriterCopies(self.copies)
  }

  /// Completes the writes, see ``StreamWriter/flush()``. Called without locks.
  func flush() {
    guard !self.isEmpty else { return }
    self.access.lock()
    let writers = self.writers
    self.access.unlock()
    for writer in writers {
      writer.flush()
    }
  }

  /// Ends every stream after its unread elements. Streams that are made later have ended already.
  public func finish() {
    self.access.lock()
    self.isFinished = true
    let writers = self.writers
    self.access.unlock()
    for writer in writers {
      writer.finish()
    }
  }

  /// The number of elements that exceeded the capacity of a stream, with ``OverflowPolicy/block``.
  var overruns: Int {
    self.access.lock()
    defer { self.access.unlock() }
    return self.countedOverruns
  }

  private func write(_ element: Element, to writer: any StreamWriter<Element>) {
    if writer.write(element) {
      self.access.lock()
      defer { self.access.unlock() }
      self.countedOverruns += 1
    }
  }

  /// Whether no stream is open. One load.
  var isEmpty: Bool {
    self.count.load(ordering: .acquiring) == 0
  }

  /// A copy: a stream that ends while it is written to calls ``remove(_:)``, which takes the lock.
  private var openWriters: [any StreamWriter<Element>] {
    self.access.lock()
    defer { self.access.unlock() }
    self.copies.append(self.writers)
    self.hasCopies.store(true, ordering: .releasing)
    return self.writers
  }
}

// MARK: Back-pressure

extension StreamRegistrar {
  /// Acquires `lock` when no stream blocks its writers.
  ///
  /// Waits without the lock, so that a slow reader delays writers only. Checks again with the lock,
  /// because another writer may have used the space.
  func lockWhenUnblocked(_ lock: borrowing Lock) {
    while true {
      lock.lock()
      guard !self.isEmpty, let blocking = self.firstBlockingWriter else { return }
      lock.unlock()
      blocking.waitForSpace()
    }
  }

  /// Not `first(where:)`: here it is not specialized, and looks up generic types in the Swift
  /// runtime on each call. In the child of a fork, the lock of the runtime may be held by a thread
  /// that does not exist there.
  private var firstBlockingWriter: (any StreamWriter<Element>)? {
    for writer in self.openWriters where writer.isBlocking {
      return writer
    }
    return nil
  }
}

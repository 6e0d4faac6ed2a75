import Threading

/// The streams of one store, by the ends that elements are written to.
public final class StreamRegistrar<Element>: Sendable where Element: Sendable {
  private struct Stream {
    let number: Int
    let writer: any StreamWriter<Element>
  }

  private let access = Lock()
  nonisolated(unsafe) private var made = 0
  nonisolated(unsafe) private var open: [Stream] = []
  nonisolated(unsafe) private var count = 0
  nonisolated(unsafe) private var exceeded = 0

  public init() {}

  deinit {
    self.finish()
  }
}

extension StreamRegistrar {
  /// Begins a stream that holds 1,024 elements and ends when it would have to hold more.
  public func makeStream() -> AsyncStream<Element> {
    self.makeStream(capacity: 1024, overflow: .fail).base
  }

  /// Begins a stream that holds up to `capacity` elements which were not yet read.
  public func makeStream(capacity: Int, overflow: OverflowPolicy) -> BoundedStream<Element> {
    let gauge = StreamGauge(capacity: capacity, policy: overflow)
    let (base, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: gauge.bufferingPolicy())
    let number = self.add(AsyncStreamWriter(continuation: continuation, gauge: gauge))
    continuation.onTermination = { [weak self] _ in
      gauge.didEnd()
      self?.remove(number)
    }
    return BoundedStream(base: base, gauge: gauge)
  }

  /// Begins a stream that a thread reads, of the elements for which `isIncluded` holds.
  public func makeReader(
    capacity: Int, overflow: OverflowPolicy,
    where isIncluded: @escaping @Sendable (Element) -> Bool = { _ in true }
  ) -> StreamReader<Element> {
    let buffer = StreamBuffer(capacity: capacity, policy: overflow, isIncluded: isIncluded)
    let number = self.add(buffer)
    return StreamReader(buffer) { [weak self] in
      self?.remove(number)
    }
  }

  /// Ends every stream: readers get what is held, and then the end.
  public func finish() {
    for stream in self.all {
      stream.writer.finish()
    }
  }

  /// Hands an element to every stream, in the order of the calls.
  public func yield(_ element: Element) {
    guard !self.isEmpty else { return }
    for stream in self.all {
      self.write(element, to: stream.writer)
    }
  }

  /// Hands elements to every stream. They enter together, also where only the first finds room
  /// under ``OverflowPolicy/block``.
  func yield(_ elements: some Collection<Element>) {
    guard !self.isEmpty else { return }
    for stream in self.all {
      for element in elements {
        self.write(element, to: stream.writer)
      }
    }
  }

  /// How many elements streams took beyond their capacity, under ``OverflowPolicy/block``.
  var overruns: Int {
    self.access.lock()
    defer { self.access.unlock() }
    return self.exceeded
  }

  private func write(_ element: Element, to writer: any StreamWriter<Element>) {
    if writer.write(element) {
      self.access.lock()
      defer { self.access.unlock() }
      self.exceeded += 1
    }
  }
}

extension StreamRegistrar {
  /// Takes `turn` at a moment when no stream asks its writer to wait.
  ///
  /// It waits without the lock, so that a reader that is slow keeps writers waiting but nothing
  /// else; and it looks again under the lock, as another writer may have taken the room.
  func lockWithRoom(_ turn: borrowing Lock) {
    while true {
      turn.lock()
      guard !self.isEmpty, let blocking = self.firstBlocking else { return }
      turn.unlock()
      blocking.waitForRoom()
    }
  }

  private var firstBlocking: (any StreamWriter<Element>)? {
    for stream in self.all where stream.writer.isBlocking {
      return stream.writer
    }
    return nil
  }

  /// Whether there is no stream, without a look at the (generic, hence slow) list.
  private var isEmpty: Bool {
    self.access.lock()
    defer { self.access.unlock() }
    return self.count == 0
  }

  // A copy, as a stream that ends while it is visited calls `remove`, which needs the lock.
  private var all: [Stream] {
    self.access.lock()
    defer { self.access.unlock() }
    return self.open
  }

  private func add(_ writer: any StreamWriter<Element>) -> Int {
    self.access.lock()
    defer { self.access.unlock() }
    self.made += 1
    self.count += 1
    self.open.append(Stream(number: self.made, writer: writer))
    return self.made
  }

  private func remove(_ number: Int) {
    self.access.lock()
    defer { self.access.unlock() }
    self.open.removeAll { $0.number == number }
    self.count = self.open.count
  }
}

import Observation
import Threading

/// An output tracked by `Observation`, and sent to streams.
final class PublishedOutput<Output>: Observable, @unchecked Sendable where Output: Sendable {
  private let registrar = ObservationRegistrar()

  /// Guards the properties below. Not held while trackers of the output are notified.
  private let access = Lock()
  private var latest: Output?
  private var streams: [Int: AsyncStream<Output>.Continuation] = [:]
  private var nextNumber = 0

  deinit {
    for stream in self.streams.values {
      stream.finish()
    }
  }

  var output: Output? {
    self.registrar.access(self, keyPath: \.output)
    self.access.lock()
    defer { self.access.unlock() }
    return self.latest
  }

  /// Sets the output before trackers are notified, so that a tracker on another thread never reads
  /// the old output after its notification.
  func publish(_ output: Output) {
    self.access.lock()
    let old = self.latest
    self.latest = output
    let streams = self.streams.values
    self.access.unlock()
    self.registrar.withMutation(of: self, keyPath: \.output) {}
    for stream in streams {
      stream.yield(output)
    }
    // Released without holding the lock.
    withExtendedLifetime(old) {}
  }

  func makeStream() -> AsyncStream<Output> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Output.self, bufferingPolicy: .bufferingNewest(1))
    self.access.lock()
    let number = self.nextNumber
    self.nextNumber += 1
    self.streams[number] = continuation
    // Under the lock, so that it precedes the outputs published from now on.
    if let latest = self.latest { continuation.yield(latest) }
    self.access.unlock()
    continuation.onTermination = { [weak self] _ in self?.removeStream(number) }
    return stream
  }

  private func removeStream(_ number: Int) {
    self.access.lock()
    let continuation = self.streams.removeValue(forKey: number)
    self.access.unlock()
    withExtendedLifetime(continuation) {}
  }
}

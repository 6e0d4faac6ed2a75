import Observation
import Threading

/// An output tracked by `Observation`.
final class PublishedOutput<Output>: Observable, @unchecked Sendable where Output: Sendable {
  private let registrar = ObservationRegistrar()

  /// Not held while trackers of the output are notified.
  private let access = Lock()
  private var latest: Output?

  var output: Output? {
    get {
      self.registrar.access(self, keyPath: \.output)
      self.access.lock()
      defer { self.access.unlock() }
      return self.latest
    }
    set {
      self.registrar.withMutation(of: self, keyPath: \.output) {
        self.access.lock()
        defer { self.access.unlock() }
        self.latest = newValue
      }
    }
  }
}

/// The progress of a fetch or a change.
public enum Status: Codable, Hashable, Sendable {
  case empty
  case waiting
  case success
  case failure(error: String)
}

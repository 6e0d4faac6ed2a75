/// How far the fetching or changing of something is.
public enum Status: Codable, Hashable, Sendable {
  case empty
  case waiting
  case success
  case failure(error: String)
}

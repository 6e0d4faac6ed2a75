import ImmutableJSON
import StateEngine

/// Why a server of animals did not do what it was asked to.
public struct RemoteError: Error, Hashable {
  public enum Kind: Hashable, Sendable {
    case noResponse(FetchError)
    case refused(FetchResponse)
    /// It answered with another media type.
    case notJSON(String)
    case unreadable(String)
    /// It answered, but not what it was asked.
    case noAnswer(String)
    /// It answered with another media type than that of events.
    case notEvents(String)
    /// It ended a stream of events.
    case ended
    /// It gave no sign for so long.
    case silent(milliseconds: Int64)
  }

  public let address: String
  public let kind: Kind
}

extension RemoteError: CustomStringConvertible {
  public var description: String {
    switch self.kind {
    case .noResponse(.rejected(let reason)): "cannot reach \(self.address): \(cut(reason))"
    case .noResponse(.noFetch): FetchError.noFetch.description
    case .noResponse(let error): "\(self.address): \(error)"
    case .refused(let response): self.refusal(response)
    case .notJSON(""):
      "\(self.address) answered without a content type; is it a server of animals?"
    case .notJSON(let type):
      "\(self.address) answered with \(quoted(type)), not with JSON; is it a server of animals?"
    case .unreadable(let reason):
      "\(self.address) answered with what is no answer of a server of animals: \(cut(reason))"
    case .noAnswer(let what): "\(self.address) answered without \(what)"
    case .notEvents(let type):
      "\(self.address) answered with \(quoted(type)), not with events; is it a server of animals?"
    case .ended: "\(self.address) ended the connection"
    case .silent(let milliseconds): "\(self.address) was silent for \(milliseconds) ms"
    }
  }

  private func refusal(_ response: FetchResponse) -> String {
    if (300..<400).contains(response.status) {
      let location = response.header("Location").map { ", to \(quoted($0))" } ?? ""
      return "\(self.address) redirects (\(response.status)\(location)); "
        + "open the store with the address where the server is"
    }
    let message = response.message.map { ": \(cut($0))" } ?? ""
    return "\(self.address) answered with status \(response.status)\(message)"
  }
}

extension FetchResponse {
  /// What a server of animals says of a request that it refuses: `{"error":{"message":"…"}}`.
  fileprivate var message: String? {
    let value = try? self.body.withUnsafeBytes { try Value(json: $0) }
    guard case .string(let message)? = value?["error"]?["message"] else { return nil }
    return message
  }
}

/// Words from elsewhere, not more of them than someone reads.
private func cut(_ text: String) -> String {
  text.unicodeScalars.count <= 300 ? text : "\(text.unicodeScalars.prefix(300))…"
}

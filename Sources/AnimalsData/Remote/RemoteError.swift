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
  public let description: String

  /// - Parameter token: What the description does not show, even if the server sent it back.
  init(address: String, kind: Kind, hiding token: String?) {
    self.address = address
    self.kind = kind
    self.description = Message(address: address, token: token).text(of: kind)
  }
}

extension RemoteError: CustomStringConvertible {}

/// Says what went wrong.
private struct Message {
  let address: String
  let token: String?

  func text(of kind: RemoteError.Kind) -> String {
    switch kind {
    case .noResponse(.rejected(let reason)): "cannot reach \(self.address): \(self.shown(reason))"
    case .noResponse(.noFetch): FetchError.noFetch.description
    case .noResponse(let error): "\(self.address): \(error)"
    case .refused(let response): self.refusal(response)
    case .notJSON(""):
      "\(self.address) answered without a content type; is it a server of animals?"
    case .notJSON(let type):
      "\(self.address) answered with \(quoted(self.shown(type))), not with JSON; "
        + "is it a server of animals?"
    case .unreadable(let reason):
      "\(self.address) answered with what is no answer of a server of animals: "
        + self.shown(reason)
    case .noAnswer(let what): "\(self.address) answered without \(what)"
    case .notEvents(let type):
      "\(self.address) answered with \(quoted(self.shown(type))), not with events; "
        + "is it a server of animals?"
    case .ended: "\(self.address) ended the connection"
    case .silent(let milliseconds): "\(self.address) was silent for \(milliseconds) ms"
    }
  }

  private func refusal(_ response: FetchResponse) -> String {
    if (300..<400).contains(response.status) {
      let location = response.header("Location").map { ", to \(quoted(self.shown($0)))" } ?? ""
      return "\(self.address) redirects (\(response.status)\(location)); "
        + "open the store with the address where the server is"
    }
    let message = response.message.map { ": \(self.shown($0))" } ?? ""
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

extension Message {
  /// Text from elsewhere: without the token, and no more than people read.
  private func shown(_ text: String) -> String {
    guard let token else { return text.first(Self.longest) }
    // A token that begins before the end is there whole, so that no part of it remains.
    return text.first(Self.longest + token.utf8.count).hiding(token).first(Self.longest)
  }

  private static var longest: Int { 300 }
}

extension String {
  /// So many code points of it, with "…" if there are more.
  fileprivate func first(_ count: Int) -> String {
    let start = String(self.unicodeScalars.prefix(count))
    return start.utf8.count == self.utf8.count ? start : start + "…"
  }
}

extension String {
  /// The text with "…" in place of a secret, which is not empty.
  fileprivate func hiding(_ secret: String) -> String {
    let (text, secret) = (Array(self.utf8), Array(secret.utf8))
    var shown: [UInt8] = []
    var index = 0
    while index < text.count {
      if text[index...].starts(with: secret) {
        shown += "…".utf8
        index += secret.count
      } else {
        shown.append(text[index])
        index += 1
      }
    }
    return String(decoding: shown, as: UTF8.self)
  }
}

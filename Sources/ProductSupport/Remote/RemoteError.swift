import ImmutableJSON
import StateEngine

/// Why a request to a server failed.
public struct RemoteError: Error, Hashable {
  public enum Kind: Hashable, Sendable {
    case noResponse(ProgramTaskError)
    case refused(FetchResponse)
    /// It answered with a media type other than JSON.
    case notJSON(String)
    case unreadable(String)
    /// Its response lacks the requested content.
    case missingContent(String)
    /// It answered with a media type other than that of events.
    case notEvents(String)
    /// An event is longer than the limit, in bytes.
    case eventTooLong(limit: Int)
    /// It sent more events than can wait until they are applied.
    case tooManyEvents
    /// It ended a stream of events.
    case ended
    /// It sent nothing for too long.
    case silent(milliseconds: Int64)
  }

  public let address: String
  public let kind: Kind
  public let description: String

  /// - Parameters:
  ///   - expected: The kind of server, with its article.
  ///   - token: A secret that the description never contains, even if the server echoes it.
  init(address: String, kind: Kind, expected: String, hiding token: String?) {
    self.address = address
    self.kind = kind
    // A long address would leave no room for the reason in messages of limited length.
    self.description = Message(
      address: address.truncated(to: 100), expected: expected, token: token
    ).text(of: kind)
  }
}

extension RemoteError: CustomStringConvertible {}

/// Describes errors of a server.
private struct Message {
  let address: String
  let expected: String
  let token: String?

  func text(of kind: RemoteError.Kind) -> String {
    switch kind {
    case .noResponse(.rejected("")):
      "no response from \(self.address); the program gave no reason"
    case .noResponse(.rejected(let reason)):
      "no response from \(self.address): \(self.sanitized(reason))"
    case .noResponse(.noFetch): ProgramTaskError.noFetch.description
    case .noResponse(let error): "\(self.address): \(error)"
    case .refused(let response): self.refusal(response)
    case .notJSON(""):
      "\(self.address) answered without a content type; is it \(self.expected)?"
    case .notJSON(let type):
      "\(self.address) answered with \(quoted(self.sanitized(type))), not with JSON; "
        + "is it \(self.expected)?"
    case .unreadable(let reason):
      "\(self.address) sent an unexpected answer: "
        + self.sanitized(reason)
    case .missingContent(let what): "\(self.address) answered without \(what)"
    case .notEvents(let type):
      "\(self.address) answered with \(quoted(self.sanitized(type))), not with events; "
        + "is it \(self.expected)?"
    case .eventTooLong(let limit): "\(self.address) sent an event longer than \(limit) bytes"
    case .tooManyEvents:
      "\(self.address) sent changes faster than they were applied; everything is fetched again"
    case .ended: "\(self.address) ended the connection"
    case .silent(let milliseconds): "\(self.address) was silent for \(milliseconds) ms"
    }
  }

  private func refusal(_ response: FetchResponse) -> String {
    // The other statuses from 300 to 399 do not redirect to one address (RFC 9110, 15.4).
    if [301, 302, 303, 307, 308].contains(response.status) {
      let location = response.header("Location").map { ", to \(quoted(self.sanitized($0)))" } ?? ""
      return "\(self.address) redirects (\(response.status)\(location)); "
        + "open the store with the server's own address"
    }
    let message = response.message.map { ": \(self.sanitized($0))" } ?? ""
    return "\(self.address) answered with status \(response.status)\(message)"
  }
}

extension FetchResponse {
  /// The message of a server's error response: `{"error":{"message":"…"}}`.
  fileprivate var message: String? {
    let value = try? self.body.withUnsafeBytes { try Value(json: $0) }
    guard case .string(let message)? = value?["error"]?["message"] else { return nil }
    return message
  }
}

extension Message {
  /// Returns text from the server or the program for use in a message: without the token, and no
  /// longer than a message in a state.
  private func sanitized(_ text: String) -> String {
    guard let token else { return text.truncatedMessage }
    let start = String(
      text.unicodeScalars.prefix(String.maximumMessageLength + token.utf8.count))
    let shown = start.hiding(token)
    guard start.utf8.count < text.utf8.count else { return shown.truncatedMessage }
    // The start may end with a part of the token.
    let safe = shown.unicodeScalars.dropLast(token.utf8.count - 1)
    return String(safe.prefix(String.maximumMessageLength)) + "…"
  }
}

extension String {
  /// Replaces a secret, which must not be empty, with "…".
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

import ImmutableJSON
import StateEngine

/// A server that answers requests with JSON.
package struct RemoteServer: Sendable {
  /// A URL to which paths can be appended.
  package let address: String

  /// The kind of server, with its article, for messages: "an animals server".
  private let kind: String

  private let token: String?
  private let timeout: Int32
  private let fetcher: Fetcher

  /// - Parameters:
  ///   - token: The bearer token that the server requires (RFC 6750). It is sent with every
  ///     request, and appears in no message.
  ///   - timeout: How long to wait for a response, in milliseconds.
  ///   - names: The names of the arguments in messages.
  /// - Throws: ``EngineError``: `invalidArgument` if the address is not a URL, or the token cannot
  ///   be sent.
  package init(
    address: String, kind: String, token: String? = nil, fetcher: Fetcher, timeout: Int32,
    names: ArgumentNames = ArgumentNames()
  ) throws(EngineError) {
    self.address = try Self.validated(address: address, names)
    self.kind = kind
    self.token = try Self.validated(token: token, names)
    self.fetcher = fetcher
    self.timeout = timeout
  }
}

extension RemoteServer {
  /// Sends a request, waits for its response, and decodes the JSON in it.
  package func response<Content>(
    to request: FetchRequest, _ decode: (Value) throws -> Content
  ) throws(RemoteError) -> Content {
    let response: FetchResponse
    do {
      response = try self.fetcher.response(
        to: self.authorized(request), within: self.timeout)
    } catch {
      throw self.error(.noResponse(error))
    }
    try self.check(response)
    do {
      return try decode(response.body.withUnsafeBytes { try Value(json: $0) })
    } catch {
      throw self.error(.unreadable(reason(error, in: "body")))
    }
  }

  /// Sends a request whose response is streamed.
  package func stream(
    _ request: FetchRequest, onEvent: @escaping @Sendable (FetchTask.Event) -> Void
  ) -> FetchTask {
    self.fetcher.stream(self.authorized(request), onEvent: onEvent)
  }

  package func error(_ kind: RemoteError.Kind) -> RemoteError {
    RemoteError(address: self.address, kind: kind, expected: self.kind, hiding: self.token)
  }

  private func authorized(_ request: FetchRequest) -> FetchRequest {
    var request = request
    if let token { request.headers.append(FetchHeader("Authorization", "Bearer \(token)")) }
    return request
  }

  private func check(_ response: FetchResponse) throws(RemoteError) {
    guard (200..<300).contains(response.status) else {
      throw self.error(.refused(response))
    }
    let type = response.mediaType ?? ""
    // A type such as `application/geo+json` is JSON as well (RFC 6839).
    guard type == "application/json" || type.hasSuffix("+json") else {
      throw self.error(.notJSON(response.header("Content-Type") ?? ""))
    }
  }
}

extension FetchResponse {
  /// The media type in lower case, without parameters; `nil` if the response has no content type.
  package var mediaType: String? {
    self.header("Content-Type")?.prefix { $0 != ";" && $0 != " " }.lowercased()
  }
}

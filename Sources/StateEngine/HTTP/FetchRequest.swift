/// An HTTP request (RFC 9110).
public struct FetchRequest: Hashable, Sendable {
  public var method: String
  public var url: String
  public var headers: [FetchHeader]
  public var body: [UInt8]

  /// Whether the body of the response arrives in parts, possibly until the store is closed.
  public var isStreamed = false

  public init(
    method: String = "GET", url: String, headers: [FetchHeader] = [], body: [UInt8] = []
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// An HTTP header field.
public struct FetchHeader: Hashable, Sendable {
  public let name: String
  public let value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension FetchHeader: CustomStringConvertible, CustomReflectable {
  /// Hides credentials, because descriptions end up in logs.
  public var description: String {
    let isSecret = ["authorization", "proxy-authorization", "cookie", "set-cookie"].contains(
      self.name.lowercased())
    return "\(self.name): \(isSecret ? "…" : self.value)"
  }

  public var customMirror: Mirror {
    Mirror(self, children: ["description": self.description])
  }
}

/// An HTTP response.
public struct FetchResponse: Hashable, Sendable {
  /// The status code.
  public var status: Int
  public var headers: [FetchHeader]
  public var body: [UInt8]

  public init(status: Int, headers: [FetchHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of the first field with a name. Case-insensitive.
  public func header(_ name: String) -> String? {
    self.headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// The reason for the failure of a request.
public enum FetchError: Error, Hashable {
  /// The program has not set a function that performs requests.
  case noFetch
  /// The program could not get a response, for this reason.
  case rejected(String)
  case timedOut(milliseconds: Int32)
  /// The response, or the reason why there was none, exceeds a limit, as this message says.
  case tooLarge(String)
  case closed
}

extension FetchError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noFetch: "the program has not set a function that performs HTTP requests"
    case .rejected(let reason): reason
    case .timedOut(let milliseconds): "there was no response within \(milliseconds) ms"
    case .tooLarge(let message): message
    case .closed: "the store was closed"
    }
  }
}

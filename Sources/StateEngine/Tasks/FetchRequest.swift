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

import ImmutableJSON

/// Errors found before a request is complete. Each of them ends the connection.
extension RequestError {
  static var invalidHTTP: RequestError {
    RequestError(
      code: .invalidHTTP, message: "the request is not valid HTTP/1.1", closesConnection: true)
  }

  static var incomplete: RequestError {
    RequestError(
      code: .invalidHTTP, message: "the connection ended in the middle of the request",
      closesConnection: true)
  }

  static var urlTooLong: RequestError {
    let limit = ConnectionLimits.requestLine
    return RequestError(
      code: .urlTooLong, message: "the request line with the URL is longer than \(limit) bytes",
      details: [("limit", .integer(Int64(limit)))], closesConnection: true)
  }

  static var headersTooLarge: RequestError {
    RequestError(
      code: .headersTooLarge,
      message: "there are more than \(ConnectionLimits.headerFieldCount) headers, one is larger "
        + "than \(ConnectionLimits.headerFieldSize) bytes, or the head is larger than "
        + "\(ConnectionLimits.head) bytes",
      closesConnection: true)
  }

  static func requestTimeout(_ limit: Duration) -> RequestError {
    RequestError(
      code: .requestTimeout,
      message: "the request did not arrive within \(limit.milliseconds) milliseconds",
      details: [("limit", .integer(Int64(limit.milliseconds)))], closesConnection: true)
  }

  static func tooManyConnections(_ limit: Int) -> RequestError {
    RequestError(
      code: .tooManyConnections,
      message: "the server already has \(limit) connections; try again later",
      details: [("limit", .integer(Int64(limit)))], closesConnection: true)
  }
}

extension Duration {
  /// Rounded down, and at least 1.
  var milliseconds: Int {
    max(1, Int(clamping: self.attoseconds / 1_000_000_000_000_000))
  }
}

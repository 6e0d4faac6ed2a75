/// The limits that keep clients from exhausting a server.
///
/// The defaults are those of the program's options.
package struct ConnectionLimits: Sendable {
  /// The number of connections served at the same time, streams of changes included.
  package var connections = 1_000

  /// How long a connection stays open without a request, or while its client reads nothing of what
  /// it is sent.
  package var idleTimeout = Duration.seconds(120)

  /// The time from the first byte of a request to its last.
  package var requestTimeout = Duration.seconds(30)

  /// The size of a request's body in bytes.
  package var body = 1 << 20

  package init() {}
}

extension ConnectionLimits {
  /// The length of a request line, which contains the URL, in bytes.
  static var requestLine: Int { 8 << 10 }

  /// The length of one header field in bytes. The parser applies it to the URL as well, so it
  /// exceeds that of the request line: a long URL is then never reported as a long field.
  static var headerField: Int { 16 << 10 }

  /// The length of a request's head in bytes.
  static var head: Int { 64 << 10 }

  static var headerFields: Int { 100 }

  /// The number of connections beyond the limit that are answered at the same time. Further ones
  /// are not accepted until one of these closes.
  package static var surplus: Int { 32 }

  /// How long a client can read its last response while what it still sends is discarded.
  ///
  /// Closing immediately would reset the connection, and a reset can overtake the response (RFC
  /// 9112, section 9.6).
  static var linger: Duration { .seconds(1) }

  /// The maximum number of bytes that are discarded meanwhile.
  static var discarded: Int { 16 << 20 }
}

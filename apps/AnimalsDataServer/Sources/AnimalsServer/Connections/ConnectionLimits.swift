/// The limits that keep clients from exhausting a server.
///
/// The defaults are those of the program's options.
package struct ConnectionLimits: Sendable {
  /// The number of connections served at the same time, streams of changes included.
  package var connections = 1_000

  /// How long a connection stays open without a request, or while its client reads nothing of a
  /// response.
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

  /// The length of one header field in bytes. The parser also applies it to the URL, so it exceeds
  /// ``requestLine``: otherwise a long URL could be reported as a long field.
  static var headerFieldSize: Int { 16 << 10 }

  /// The length of a request's head in bytes.
  static var head: Int { 64 << 10 }

  static var headerFieldCount: Int { 100 }

  /// The number of connections beyond the limit that are accepted at the same time, to refuse them.
  /// Further connections wait until one of these closes.
  package static var surplus: Int { 32 }

  /// How long a client has to read its last response. Bytes that it still sends are discarded.
  ///
  /// If the server closed the connection immediately, it would be reset, and the reset could
  /// overtake the response (RFC 9112, section 9.6).
  static var linger: Duration { .seconds(1) }

  /// The maximum number of bytes that are discarded in that time.
  static var discarded: Int { 16 << 20 }
}

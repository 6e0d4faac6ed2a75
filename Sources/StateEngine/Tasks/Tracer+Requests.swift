import ImmutableJSON
import Threading

extension Tracer {
  func failure(_ error: ProgramTaskError) -> Members {
    [("event", "failed")] + self.members(of: EngineError(error.code, error.description))
  }

  /// Writes that a request begins.
  ///
  /// - Returns: The receiver of its events, which writes its end.
  @inline(never)
  func beginning(
    _ request: FetchRequest, _ receive: @escaping @Sendable (FetchTask.Event) -> Void
  ) -> @Sendable (FetchTask.Event) -> Void {
    let (number, start) = (self.nextNumber(), Clock.uptimeNanoseconds)
    let members: Members = [
      ("id", number), ("method", .string(request.method)),
      ("url", .string(self.shown(url: request.url))),
    ]
    self.write("request") { members + [("event", "began")] }
    let response = TracedResponse()
    return { event in
      switch event {
      case .response(let head): response.status = head.status
      case .part(let part): response.size += part.count
      case .end(let error):
        self.write("request") {
          let outcome: Members =
            if let error { self.failure(error) } else { [("event", "ended")] }
          let status: Members =
            response.status.map {
              [("status", .integer(Int64($0))), ("bytes", .integer(Int64(response.size)))]
            } ?? []
          return members + outcome + status + [
            ("microseconds", self.microseconds(since: start))
          ]
        }
      }
      receive(event)
    }
  }

  /// The address of a request, without a user's name and password. If something is redacted, only
  /// the server, because the rest may contain it.
  private func shown(url: String) -> String {
    let bytes = Array(url.utf8)
    let (slash, at) = (UInt8(ascii: "/"), UInt8(ascii: "@"))
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      bytes[colon...].dropFirst().prefix(2).elementsEqual([slash, slash])
    else { return self.redaction.isEmpty ? url : "…" }
    let scheme = bytes[...colon] + [slash, slash]
    let rest = bytes[colon...].dropFirst(3)
    let end = rest.firstIndex { [slash, UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
    var host = rest[..<(end ?? rest.endIndex)]
    if let user = host.lastIndex(of: at) { host = host[user...].dropFirst() }
    let path = self.redaction.isEmpty ? rest[(end ?? rest.endIndex)...] : [][...]
    return String(decoding: scheme + host + path, as: UTF8.self)
      + (self.redaction.isEmpty ? "" : "/…")
  }
}

/// What has arrived of a response. Its events arrive one at a time.
private final class TracedResponse: @unchecked Sendable {
  var status: Int?
  var size = 0
}

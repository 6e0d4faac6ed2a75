import Glibc
import ImmutableJSON
import Testing

/// A client of an inspector that waits for each answer.
final class InspectorClient {
  let descriptor: Int32
  private var input: [UInt8] = []
  private var lastID: Int64 = 0
  /// What came before an answer.
  private(set) var notifications: [Value] = []

  init(_ path: String) throws {
    self.descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    // A test that waits for what never comes fails.
    var timeout = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(
      self.descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(self.descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0, "\(path): \(String(cString: strerror(errno)))")
  }

  deinit {
    close(self.descriptor)
  }

  func send(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(self.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// The next message; `nil` at the end of the connection.
  func next() throws -> Value? {
    while true {
      if let end = self.input.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(self.input[..<end])
        self.input.removeSubrange(...end)
        return try line.withUnsafeBytes { try Value(json: $0) }
      }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = recv(self.descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      self.input += buffer[..<count]
    }
  }

  /// The next notification, also one that came before an answer.
  func notification() throws -> Value? {
    self.notifications.isEmpty ? try self.next() : self.notifications.removeFirst()
  }

  /// The response to a request, without what is the same in all.
  func call(_ method: String, _ params: Value = [:]) throws -> Value {
    self.lastID += 1
    let request: Value = [
      "jsonrpc": "2.0", "id": .integer(self.lastID), "method": .string(method), "params": params,
    ]
    self.send(request.json)
    while let message = try self.next() {
      guard message["id"] != nil else {
        self.notifications.append(message)
        continue
      }
      #expect(message["id"] == .integer(self.lastID))
      #expect(message["jsonrpc"] == "2.0")
      return message
    }
    return .null
  }

  /// The result of a request.
  func result(_ method: String, _ params: Value = [:]) throws -> Value {
    let response = try self.call(method, params)
    return try #require(response["result"], "\(response)")
  }

  /// The code and the message of the error of a request.
  func error(_ method: String, _ params: Value = [:]) throws -> (Value?, String?) {
    let error = try self.call(method, params)["error"]
    return (error?["code"], error?["message"].map { $0.json })
  }
}

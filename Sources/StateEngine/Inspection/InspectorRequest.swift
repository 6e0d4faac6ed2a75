import ImmutableJSON

/// A request of a client, and the texts of messages to it: JSON-RPC 2.0, a line each.
struct InspectorRequest {
  /// `nil` for a notification, which has no response.
  let id: Value?
  let method: String
  let params: Value
}

/// Why a request fails.
struct InspectorFailure: Error {
  let code: Int64
  let message: String
  /// More about it.
  var data: Value?

  static func invalidRequest(_ message: String) -> Self {
    Self(code: -32600, message: message)
  }

  static func invalidParams(_ message: String) -> Self {
    Self(code: -32602, message: message)
  }
}

extension InspectorFailure {
  /// What a store threw.
  ///
  /// - Parameter redaction: Messages may quote any value.
  init(_ error: EngineError, _ redaction: Redaction) {
    self.code = -32000
    self.message =
      redaction.isEmpty
      ? error.message : "the store refused with \(error.code); its messages are redacted"
    self.data = ["code": .string("\(error.code)")]
  }
}

extension InspectorRequest {
  /// - Throws: ``InspectorFailure``. What could be read of the request is the `id` of a response.
  init(line: UnsafeRawBufferPointer, id: inout Value) throws {
    let message: Value
    do {
      message = try Value(json: line)
    } catch {
      throw InspectorFailure(code: -32700, message: "the line is not JSON: \(error.message)")
    }
    guard case .object(let members) = message else {
      throw InspectorFailure.invalidRequest(
        "a request is an object such as {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"stores\"}")
    }
    switch members["id"] {
    case .array?, .object?, .bool?:
      throw InspectorFailure.invalidRequest("the id of a request is a number or a string")
    case let value: id = value ?? .null
    }
    guard members["jsonrpc"] == "2.0", let method = members["method"]?.string else {
      throw InspectorFailure.invalidRequest(
        "a request has the members \"jsonrpc\", which is \"2.0\", and \"method\"")
    }
    let params = members["params"] ?? [:]
    guard case .object = params else {
      throw InspectorFailure.invalidParams("params are an object")
    }
    self.id = members["id"]
    self.method = method
    self.params = params
  }

  /// The params, if they have what a method takes.
  func checked(_ members: [Schema.Property]) throws -> Value {
    do {
      try Schema.object(members).check(self.params, "params")
    } catch {
      throw InspectorFailure.invalidParams(error.message)
    }
    return self.params
  }
}

/// A message to a client.
enum InspectorMessage {
  static func response(_ id: Value, _ result: Value) -> Value {
    ["jsonrpc": "2.0", "id": id, "result": result]
  }

  static func response(_ id: Value, _ failure: InspectorFailure) -> Value {
    var error: [(String, Value)] = [
      ("code", .integer(failure.code)), ("message", .string(failure.message)),
    ]
    if let data = failure.data { error.append(("data", data)) }
    return ["jsonrpc": "2.0", "id": id, "error": .object(JSONObject(error))]
  }

  static func notification(_ method: String, _ params: Value) -> Value {
    ["jsonrpc": "2.0", "method": .string(method), "params": params]
  }
}

import Hummingbird
import ImmutableJSON

/// Why a request was refused, as reported in the response.
///
/// ```json
/// {"error":{"code":"invalidJSON","column":9,"line":1,"message":"…","offset":9}}
/// ```
///
/// Programs distinguish errors by `code`. The message is for people, and may change.
struct RequestError: Error {
  enum Code: String {
    case animalNotFound
    case bodyTooLarge
    case headersTooLarge
    case invalidHTTP
    case invalidJSON
    case invalidRequest
    case methodNotAllowed
    case notFound
    case requestTimeout
    case storeFailed
    case tooManyConnections
    case tooManyOperations
    case unauthorized
    case unsupportedMediaType
    case urlTooLong
  }

  let code: Code
  let message: String

  /// Further members, besides `code` and `message`, for programs.
  var details: [(String, Value)] = []

  /// The allowed method, if the request used another.
  var allow: String?

  /// Whether the connection closes after the response, because the rest of the request is not read.
  var closesConnection = false
}

extension RequestError {
  var status: HTTPResponse.Status {
    switch self.code {
    case .animalNotFound, .notFound: .notFound
    case .bodyTooLarge: .contentTooLarge
    case .headersTooLarge: .requestHeaderFieldsTooLarge
    case .invalidHTTP, .invalidJSON: .badRequest
    case .invalidRequest, .tooManyOperations: .unprocessableContent
    case .methodNotAllowed: .methodNotAllowed
    case .requestTimeout: .requestTimeout
    case .storeFailed: .internalServerError
    case .tooManyConnections: .serviceUnavailable
    case .unauthorized: .unauthorized
    case .unsupportedMediaType: .unsupportedMediaType
    case .urlTooLong: .uriTooLong
    }
  }

  private var headers: HTTPFields {
    var headers: HTTPFields = [.contentType: "application/json"]
    headers[.allow] = self.allow
    if self.closesConnection {
      headers[.connection] = "close"
    }
    switch self.code {
    case .tooManyConnections: headers[.retryAfter] = "1"
    case .unauthorized: headers[.wwwAuthenticate] = "Bearer"
    default: break
    }
    return headers
  }

  private var json: Value {
    let members: [(String, Value)] = [
      ("code", .string(self.code.rawValue)), ("message", .string(self.message)),
    ]
    return ["error": .object(JSONObject(members + self.details))]
  }

  var response: Response {
    Response(status: self.status, headers: self.headers, json: self.json)
  }

  /// The response in parts, for errors that are found before a request is complete.
  var parts: (HTTPResponse, ByteBuffer) {
    let body = ByteBuffer(bytes: self.json.utf8JSON)
    var headers = self.headers
    headers[.contentLength] = String(body.readableBytes)
    return (HTTPResponse(status: self.status, headerFields: headers), body)
  }
}

extension Response {
  init(
    status: HTTPResponse.Status, headers: HTTPFields = [.contentType: "application/json"],
    json: Value
  ) {
    self.init(
      status: status, headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.utf8JSON)))
  }
}

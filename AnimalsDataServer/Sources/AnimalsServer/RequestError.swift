import Hummingbird
import ImmutableJSON

/// Why a request is refused, as its response says it.
///
/// ```json
/// {"error":{"code":"invalidJSON","column":9,"line":1,"message":"…","offset":9}}
/// ```
///
/// A program tells errors apart by `code`. The message is for people, and may change.
struct RequestError: Error {
  enum Code: String {
    case animalNotFound
    case bodyTooLarge
    case invalidJSON
    case invalidRequest
    case methodNotAllowed
    case notFound
    case storeFailed
    case tooManyOperations
    case unsupportedMediaType
  }

  let code: Code
  let message: String

  /// What else a program may want to know: members beside `code` and `message`.
  var details: [(String, Value)] = []

  /// The methods that there are, where the method was wrong.
  var allow: String?
}

extension RequestError {
  var status: HTTPResponse.Status {
    switch self.code {
    case .animalNotFound, .notFound: .notFound
    case .bodyTooLarge: .contentTooLarge
    case .invalidJSON: .badRequest
    case .invalidRequest, .tooManyOperations: .unprocessableContent
    case .methodNotAllowed: .methodNotAllowed
    case .storeFailed: .internalServerError
    case .unsupportedMediaType: .unsupportedMediaType
    }
  }

  var response: Response {
    let members: [(String, Value)] = [
      ("code", .string(self.code.rawValue)), ("message", .string(self.message)),
    ]
    var response = Response(
      status: self.status, json: ["error": .object(JSONObject(members + self.details))])
    response.headers[.allow] = self.allow
    return response
  }
}

extension Response {
  init(status: HTTPResponse.Status, json: Value) {
    self.init(
      status: status, headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.utf8JSON)))
  }
}

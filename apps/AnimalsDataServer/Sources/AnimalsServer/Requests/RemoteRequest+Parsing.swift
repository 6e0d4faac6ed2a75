import AnimalsData
import Hummingbird
import ImmutableJSON

extension RemoteRequest {
  /// The maximum number of queries in a request. Each is answered with a whole table.
  static var maximumQueries: Int { 16 }

  /// The maximum number of mutations in a request. The store keeps as many changes, so readers
  /// receive all changes of one request.
  static var maximumMutations: Int { 1000 }

  init(body: ByteBuffer) throws(RequestError) {
    do {
      let value = try body.withUnsafeReadableBytes { try Value(json: $0) }
      self = try value.decode()
    } catch let error as JSONParseError {
      throw RequestError(error)
    } catch let error as DecodingError {
      throw RequestError(error)
    } catch {
      throw RequestError(code: .invalidRequest, message: "the body is not a request")
    }
    try Self.check("query", self.query?.count, Self.maximumQueries)
    try Self.check("mutation", self.mutation?.count, Self.maximumMutations)
  }

  private static func check(
    _ member: String, _ count: Int?, _ maximum: Int
  ) throws(RequestError) {
    guard let count, count > maximum else { return }
    throw RequestError(
      code: .tooManyOperations,
      message:
        "\"\(member)\" has \(count) elements, but at most \(maximum) are allowed",
      details: [("limit", .integer(Int64(maximum))), ("path", .string("/\(member)"))])
  }
}

extension RequestError {
  fileprivate init(_ error: JSONParseError) {
    self.init(
      code: .invalidJSON, message: "the body is not valid JSON: \(error)",
      details: [
        ("line", .integer(Int64(error.line))), ("column", .integer(Int64(error.column))),
        ("offset", .integer(Int64(error.offset))),
      ])
  }

  /// Describes an error of decoding, with a JSON Pointer to the offending part of the body.
  fileprivate init(_ error: DecodingError) {
    let (context, missing): (DecodingError.Context?, (any CodingKey)?) =
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        (context, nil)
      case .keyNotFound(let key, let context): (context, key)
      @unknown default: (nil, nil)
      }
    let tokens = (context?.codingPath ?? []).map { $0.intValue.map(String.init) ?? $0.stringValue }
    let path = JSONPointer(tokens).description
    let problem = Self.expected(at: tokens) ?? context?.debugDescription ?? "is not as expected"
    self.init(
      code: .invalidRequest,
      message: (tokens.isEmpty ? "the body: " : "\(path): ")
        + (missing.map { "\"\($0.stringValue)\" is missing" } ?? problem),
      details: [("path", .string(path))])
  }

  /// The expected content at paths for which Swift's own message would not help.
  private static func expected(at path: [String]) -> String? {
    switch (path.first, path.count) {
    case ("query", 2):
      "expected an object with one member, animals or categories"
    case ("mutation", 2):
      "expected an object with one member, addAnimal, updateAnimal, deleteAnimal or "
        + "reloadSampleData"
    case ("mutation", 4) where path.last == "diet":
      "expected one of \(Diet.allCases.map(\.rawValue).joined(separator: ", "))"
    default: nil
    }
  }
}

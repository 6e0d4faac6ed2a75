/// An operation of a JSON Patch (RFC 6902, section 4).
enum JSONPatchOperation {
  case add(JSONPointer, Value)
  case remove(JSONPointer)
  case replace(JSONPointer, Value)
  case move(from: JSONPointer, JSONPointer)
  case copy(from: JSONPointer, JSONPointer)
  case test(JSONPointer, Value)

  /// Decodes an operation. Ignores unknown members, as the RFC requires.
  init(_ value: Value) throws(Failure) {
    guard case .object(let members) = value else {
      throw Failure(.invalid, "it must be an object, not \(value.kindWithArticle)")
    }
    let name = try members.string("op")
    switch name {
    case "add": self = .add(try members.pointer("path"), try members.member("value"))
    case "remove": self = .remove(try members.pointer("path"))
    case "replace": self = .replace(try members.pointer("path"), try members.member("value"))
    case "move": self = .move(from: try members.pointer("from"), try members.pointer("path"))
    case "copy": self = .copy(from: try members.pointer("from"), try members.pointer("path"))
    case "test": self = .test(try members.pointer("path"), try members.member("value"))
    default:
      throw Failure(
        .invalid,
        "\"op\" is \(quoted(name)); it must be \"add\", \"remove\", \"replace\", \"move\", "
          + "\"copy\" or \"test\"")
    }
  }

  /// Why an operation failed. The caller adds the index of the operation.
  struct Failure: Error {
    let code: JSONPatchError.Code
    let reason: String

    init(_ code: JSONPatchError.Code, _ reason: String) {
      self.code = code
      self.reason = reason
    }

    init(_ error: WorkLimitError) {
      self.init(.limit, "it takes \(error)")
    }

    init(_ error: JSONPointerError) {
      self.reason = error.message
      self.code =
        switch error.code {
        case .invalid: .invalid
        case .notFound: .notFound
        case .limit: .limit
        }
    }
  }
}

extension JSONObject {
  fileprivate func member(_ key: String) throws(JSONPatchOperation.Failure) -> Value {
    guard let value = self[key] else {
      throw JSONPatchOperation.Failure(.invalid, "the member \(quoted(key)) is missing")
    }
    return value
  }

  fileprivate func string(_ key: String) throws(JSONPatchOperation.Failure) -> String {
    let value = try self.member(key)
    guard case .string(let string) = value else {
      throw JSONPatchOperation.Failure(
        .invalid, "\(quoted(key)) must be a string, not \(value.kindWithArticle)")
    }
    return string
  }

  fileprivate func pointer(_ key: String) throws(JSONPatchOperation.Failure) -> JSONPointer {
    let text = try self.string(key)
    do {
      return try JSONPointer(text)
    } catch {
      throw JSONPatchOperation.Failure(error)
    }
  }
}

/// A JSON Patch or JSON Merge Patch could not be created or applied.
public struct JSONPatchError: Error, Hashable {
  public enum Code: Hashable, Sendable {
    /// It is not a JSON Patch, or an operation is impossible for the value.
    case invalid

    /// The pointer of an operation leads to nothing.
    case notFound

    /// A `test` operation failed.
    case testFailed

    /// The result would exceed ``ValueLimits``, or the operation takes too much work.
    case limit
  }

  public let code: Code

  /// The index of the failed operation; `nil` if the patch is not an array, is a JSON Merge Patch,
  /// or could not be created.
  public let operation: Int?

  /// A message such as `operation 2: the member "path" is missing`.
  public let message: String
}

extension JSONPatchError: CustomStringConvertible {
  public var description: String {
    self.message
  }
}

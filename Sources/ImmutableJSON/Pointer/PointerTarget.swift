/// The member or element to which one token of a JSON Pointer refers.
///
/// The target need not exist: ``value`` is then `nil`.
enum PointerTarget {
  case member(JSONObject, key: String)

  /// An index at or beyond the end if there is no such element; the count for the token `-`.
  case element(JSONArray, index: Int)
}

extension JSONPointer {
  /// Returns the target of the token at `position` in `parent`.
  ///
  /// - Throws: ``JSONPointerError`` (`invalid`) if `parent` is a scalar, or an array and the token
  ///   is not an index (RFC 6901, section 4).
  func target(at position: Int, in parent: Value) throws(JSONPointerError) -> PointerTarget {
    let token = self.tokens[position]
    switch parent {
    case .object(let object):
      return .member(object, key: token)
    case .array(let array):
      guard let index = Self.index(token, count: array.count) else {
        let reason = "is an array, and \(quoted(token)) is not an index"
        throw self.error(.invalid, position, reason)
      }
      return .element(array, index: index)
    default:
      throw self.error(.invalid, position, "is \(parent.kindWithArticle)")
    }
  }

  /// The error for a target that does not exist.
  func notFound(_ target: PointerTarget, at position: Int) -> JSONPointerError {
    switch target {
    case .member(_, let key):
      position == 0
        ? JSONPointerError(
          code: .notFound,
          message: "nothing at \(self.quotedText): there is no member \(quoted(key))")
        : self.error(.notFound, position, "has no member \(quoted(key))")
    case .element(let array, _):
      self.error(
        .notFound, position,
        array.isEmpty ? "has no elements" : "has \(counted(array.count, "element"))")
    }
  }

  private func error(
    _ code: JSONPointerError.Code, _ position: Int, _ reason: String
  ) -> JSONPointerError {
    JSONPointerError(
      code: code,
      message: "nothing at \(self.quotedText): \(self.quotedPrefix(position)) \(reason)")
  }

  /// Parses an index: digits without a leading zero, or `-` for the position after the last
  /// element.
  private static func index(_ token: String, count: Int) -> Int? {
    let bytes = token.utf8
    if bytes.elementsEqual("-".utf8) {
      return count
    }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let first = bytes.first, first != digits.lowerBound || bytes.count == 1,
      bytes.allSatisfy(digits.contains)
    else { return nil }
    // A number that does not fit is a valid index, which no array contains.
    return Int(token) ?? .max
  }
}

extension PointerTarget {
  /// The value of the target, if it exists. O(log n).
  var value: Value? {
    switch self {
    case .member(let object, let key): object[key]
    case .element(let array, let index): index < array.count ? array[index] : nil
    }
  }

  /// The array or object with the target set to an element; `nil` for an index beyond the end.
  /// O(log n).
  func setting(_ element: Value) -> Value? {
    switch self {
    case .element(var array, let index) where index < array.count:
      array[index] = element
      return .array(array)
    default:
      return self.inserting(element)
    }
  }

  /// The array with an element inserted before the target, or the object with the member set; `nil`
  /// for an index beyond the end. O(log n).
  func inserting(_ element: Value) -> Value? {
    switch self {
    case .member(var object, let key):
      object[key] = element
      return .object(object)
    case .element(var array, let index):
      guard index <= array.count else { return nil }
      array.insert(element, at: index)
      return .array(array)
    }
  }

  /// The array or object without the target; `nil` if it does not exist. O(log n).
  func removing() -> Value? {
    switch self {
    case .member(var object, let key):
      guard object[key] != nil else { return nil }
      object[key] = nil
      return .object(object)
    case .element(var array, let index):
      guard index < array.count else { return nil }
      array.remove(at: index)
      return .array(array)
    }
  }
}

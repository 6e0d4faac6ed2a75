extension JSONPointer {
  /// Where one token of a pointer leads in the array or object that the tokens before it led to.
  ///
  /// There need not be anything: what asks finds `nil`, and then throws ``nothing(at:_:)``.
  enum Place {
    case member(JSONObject, key: String)

    /// The index is beyond the end if there is no such element; the count for the index `-`.
    case element(JSONArray, index: Int)
  }

  /// Where the token at `position` leads in `parent`.
  ///
  /// - Throws: ``JSONPointerError`` (`invalid`) if `parent` is a scalar, or an array and the token
  ///   no index of one (RFC 6901, section 4).
  func place(at position: Int, in parent: Value) throws(JSONPointerError) -> Place {
    let token = self.tokens[position]
    switch parent {
    case .object(let object):
      return .member(object, key: token)
    case .array(let array):
      guard let index = Self.index(token, count: array.count) else {
        let reason = "is an array, and \(quoted(token)) is no index"
        throw self.nothing(.invalid, position, reason)
      }
      return .element(array, index: index)
    default:
      throw self.nothing(.invalid, position, "is \(parent.kindWithArticle)")
    }
  }

  /// The error for a place at which there is nothing.
  func nothing(at place: Place, _ position: Int) -> JSONPointerError {
    switch place {
    case .member(_, let key):
      self.nothing(.notFound, position, "has no member \(quoted(key))")
    case .element(let array, _):
      self.nothing(
        .notFound, position,
        array.isEmpty ? "has no elements" : "has \(counted(array.count, "element"))")
    }
  }

  private func nothing(
    _ code: JSONPointerError.Code, _ position: Int, _ reason: String
  ) -> JSONPointerError {
    JSONPointerError(
      code: code,
      message: "nothing at \(self.quotedText): \(self.quotedPrefix(position)) \(reason)")
  }

  /// The index that a token is: digits without a leading zero, or `-` for that behind the last.
  private static func index(_ token: String, count: Int) -> Int? {
    let bytes = token.utf8
    if bytes.elementsEqual("-".utf8) {
      return count
    }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let first = bytes.first, first != digits.lowerBound || bytes.count == 1,
      bytes.allSatisfy(digits.contains)
    else { return nil }
    // What does not fit is an index too, and no array has it.
    return Int(token) ?? .max
  }
}

extension JSONPointer.Place {
  /// What is there. O(log n).
  var value: Value? {
    switch self {
    case .member(let object, let key): object[key]
    case .element(let array, let index): index < array.count ? array[index] : nil
    }
  }

  /// The array or object with an element in place of what is there, or added. O(log n).
  func setting(_ element: Value) -> Value? {
    switch self {
    case .element(var array, let index) where index < array.count:
      array[index] = element
      return .array(array)
    default:
      return self.inserting(element)
    }
  }

  /// The array or object with an element before what is there, or a member set. O(log n).
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

  /// The array or object without what is there. O(log n).
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

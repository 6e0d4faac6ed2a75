internal import CScan

/// Parses JSON text directly into a value, in one pass and without recursion.
///
/// Complete values stay on a stack until the enclosing array or object is closed. Closing it pops
/// its values, and pushes the result as one value:
///
/// ```
///   [1, {"a": [2, 3]}]
///               ^ here:    values      1  2
///                          keys           a
///                          containers  [  {     (the innermost is in a local variable)
/// ```
///
/// A long array moves its values to leaves incrementally (``TreeBuilder``), so the stack stays
/// short.
///
/// A parser reuses its buffers and cached shapes for the next text. Each thread has its own
/// (``acquire()``).
final class JSONParser {
  var values = ParseStack<Value>()
  var keys = ParseStack<KeyBytes>()
  var builders: [TreeBuilder] = []
  var shapes = ShapeCache()

  /// The decoded text of the last string with escapes.
  var unescaped = ParseStack<UInt8>()

  /// The decoded keys with escapes. Removed after the text is parsed.
  var unescapedKeys = UnescapedKeys()

  var containers = ParseStack<Container>()

  /// The start of the text.
  private var start: UnsafePointer<UInt8>?

  /// How deep the value may nest.
  private var depth = 0

  /// An open array or object.
  struct Container {
    let isObject: Bool

    /// The heights of the stacks when it was opened.
    let firstValue: Int
    let firstKey: Int

    /// Whether the last builder belongs to this array.
    var hasBuilder = false

    /// The shape that this object is expected to have, while all its keys are as expected.
    var expected = ShapeCache.ID.none
  }

  /// Why parsing failed.
  struct Failure: Error {
    enum Reason {
      /// The text is not JSON, or a number is out of range.
      case text

      case depth
    }

    let reason: Reason

    /// The offset of the offending token, in bytes.
    let token: Int

    /// The offset where scanning stopped: in a string or number, that of the offending byte, or the
    /// one after an invalid escape, a number out of range, or a key with U+0000.
    let stop: Int

    let context: Context
  }

  /// The grammatical position of a token.
  enum Context {
    /// A value: the top one, the first or a later element, or the value of a member.
    case top, firstElement, element, member

    /// The first key of an object, or a later one.
    case firstKey, key

    /// The token after the top value, an element, a key, or a member.
    case end, elementEnd, keyEnd, memberEnd
  }
}

// MARK: The grammar

extension JSONParser {
  /// Parses a text. Call ``release()`` before parsing the next one.
  func parse(
    _ text: UnsafeBufferPointer<UInt8>, depth: Int = ValueLimits.depth
  ) throws(Failure) -> Value {
    let empty: StaticString = ""
    self.depth = depth
    var at = text.baseAddress ?? empty.utf8Start
    let end = at + text.count
    self.start = at
    var container: Container?
    var context = Context.top
    while true {
      guard try self.parseValue(&at, end, &container, &context) else { continue }
      if try self.parseAfterValue(&at, end, &container, &context) {
        return self.values.pop() ?? .null
      }
    }
  }

  /// Parses a scalar, or an array or object up to its first value.
  ///
  /// - Returns: Whether a value is complete.
  @inline(__always)
  private func parseValue(
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>,
    _ container: inout Container?, _ context: inout Context
  ) throws(Failure) -> Bool {
    skipWhitespace(&at, end)
    guard at < end else { throw self.failure(at, at, context) }
    switch at.pointee {
    case UInt8(ascii: "{"):
      return try self.beginObject(&at, end, &container, &context)
    case UInt8(ascii: "["):
      return try self.beginArray(&at, end, &container, &context)
    default:
      try self.parseScalar(&at, end, context)
      return true
    }
  }

  @inline(__always)
  private func parseScalar(
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ context: Context
  ) throws(Failure) {
    switch at.pointee {
    case UInt8(ascii: "\""): at = try self.parseString(at, end, context)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      at = try self.parseNumber(at, end, context)
    default: at = try self.parseLiteral(at, end, context)
    }
  }

  /// Parses `{` and the first key, or `{}`.
  ///
  /// - Returns: Whether the object is complete.
  @inline(__always)
  private func beginObject(
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>,
    _ container: inout Container?, _ context: inout Context
  ) throws(Failure) -> Bool {
    container = try self.open(container, isObject: true, at, end, context)
    at += 1
    skipWhitespace(&at, end)
    if at < end, at.pointee == UInt8(ascii: "}") {
      at += 1
      self.values.push(.object(JSONObject()))
      container = self.containers.pop()
      return true
    }
    at = try self.parseKey(at, end, .firstKey)
    container?.expected = self.expectedShape
    context = .member
    return false
  }

  /// Parses `[`, or `[]`.
  ///
  /// - Returns: Whether the array is complete.
  @inline(__always)
  private func beginArray(
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>,
    _ container: inout Container?, _ context: inout Context
  ) throws(Failure) -> Bool {
    container = try self.open(container, isObject: false, at, end, context)
    at += 1
    skipWhitespace(&at, end)
    if at < end, at.pointee == UInt8(ascii: "]") {
      at += 1
      self.values.push(.array(JSONArray(root: nil)))
      container = self.containers.pop()
      return true
    }
    context = .firstElement
    return false
  }

  /// Parses the tokens after a complete value: closing brackets, and then a comma (in an object
  /// also the next key) or the end of the text.
  ///
  /// - Returns: Whether the text is complete.
  @inline(__always)
  private func parseAfterValue(
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>,
    _ container: inout Container?, _ context: inout Context
  ) throws(Failure) -> Bool {
    while true {
      skipWhitespace(&at, end)
      guard let current = container else {
        guard at == end else { throw self.failure(at, at, .end) }
        return true
      }
      if current.isObject {
        if try self.parseAfterMember(&at, end, current, &container) {
          context = .member
          return false
        }
      } else {
        if try self.parseAfterElement(&at, end, current, &container) {
          context = .element
          return false
        }
      }
      container = self.containers.pop()
    }
  }

  /// Parses members with scalars, and what follows them: the key of a member with an array or
  /// object, or the end of the object.
  ///
  /// - Returns: Whether there is another member.
  @inline(__always)
  private func parseAfterMember(
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ object: Container,
    _ container: inout Container?
  ) throws(Failure) -> Bool {
    var expected = self.shapes.keys(of: object.expected)
    while true {
      switch at < end ? at.pointee : 0 {
      case UInt8(ascii: ","):
        at += 1
        skipWhitespace(&at, end)
        if !self.parseExpectedKey(&at, end, expected, object.firstKey) {
          expected = nil
          container?.expected = .none
          at = try self.parseKey(at, end, .key)
        }
        skipWhitespace(&at, end)
        guard at < end, !at.pointee.isOpeningBracket else { return true }
        try self.parseScalar(&at, end, .member)
        skipWhitespace(&at, end)
      case UInt8(ascii: "}"):
        at += 1
        self.closeObject(container ?? object)
        return false
      default:
        throw self.failure(at, at, .memberEnd)
      }
    }
  }

  /// Parses scalars, and what follows them: the comma before an array or object, or the end of the
  /// array.
  ///
  /// - Returns: Whether there is another element.
  @inline(__always)
  private func parseAfterElement(
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ array: Container,
    _ container: inout Container?
  ) throws(Failure) -> Bool {
    var array = array
    while true {
      switch at < end ? at.pointee : 0 {
      case UInt8(ascii: ","):
        at += 1
        if self.values.count - array.firstValue >= TreeBuilder.maxPending {
          array = self.flush(array)
          container = array
        }
        skipWhitespace(&at, end)
        guard at < end, !at.pointee.isOpeningBracket else { return true }
        try self.parseScalar(&at, end, .element)
        skipWhitespace(&at, end)
      case UInt8(ascii: "]"):
        at += 1
        self.closeArray(array)
        return false
      default:
        throw self.failure(at, at, .elementEnd)
      }
    }
  }

  /// Opens an array or object, and pushes the enclosing one.
  private func open(
    _ enclosing: Container?, isObject: Bool, _ at: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>, _ context: Context
  ) throws(Failure) -> Container {
    if let enclosing {
      guard self.containers.count < self.depth - 1 else {
        throw self.failure(at, at, context, .depth)
      }
      self.containers.push(enclosing)
    }
    return Container(
      isObject: isObject, firstValue: self.values.count, firstKey: self.keys.count)
  }

  @inline(never)
  func failure(
    _ token: UnsafePointer<UInt8>, _ stop: UnsafePointer<UInt8>, _ context: Context,
    _ reason: Failure.Reason = .text
  ) -> Failure {
    let start = self.start ?? token
    return Failure(reason: reason, token: token - start, stop: stop - start, context: context)
  }

  private func parseLiteral(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ context: Context
  ) throws(Failure) -> UnsafePointer<UInt8> {
    var at = start
    switch at.pointee {
    case UInt8(ascii: "t"): advance(&at, end, past: "true")
    case UInt8(ascii: "f"): advance(&at, end, past: "false")
    case UInt8(ascii: "n"): advance(&at, end, past: "null")
    default: break
    }
    let isWord = at < end && UInt8(ascii: "a")...UInt8(ascii: "z") ~= at.pointee | 0x20
    guard at > start, !isWord else { throw self.failure(start, at, context) }
    switch start.pointee {
    case UInt8(ascii: "t"): self.values.push(.bool(true))
    case UInt8(ascii: "f"): self.values.push(.bool(false))
    default: self.values.push(.null)
    }
    return at
  }

  @inline(__always)
  private func parseNumber(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ context: Context
  ) throws(Failure) -> UnsafePointer<UInt8> {
    var number = scan_number_result()
    let at: UnsafePointer<UInt8> = scan_number(start, end, &number)
    switch number.kind {
    case SCAN_INTEGER: self.values.push(.integer(number.integer))
    case SCAN_REAL: self.values.push(.real(number.real))
    default:
      let digits = UnsafeBufferPointer(start: start, count: at - start)
      guard number.kind == SCAN_UNROUNDED,
        let real = Double(nearest: String(decoding: digits, as: UTF8.self))
      else { throw self.failure(start, at, context) }
      self.values.push(.real(real))
    }
    return at
  }
}

extension UInt8 {
  /// Whether an array or object begins with this byte.
  @inline(__always)
  fileprivate var isOpeningBracket: Bool {
    self | 0x20 == UInt8(ascii: "{")
  }
}

/// Skips white space.
@inline(__always)
func skipWhitespace(_ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
  while at < end, at.pointee <= 0x20 {
    switch at.pointee {
    case 0x20, 0x09, 0x0A, 0x0D: at += 1
    default: return
    }
  }
}

/// Moves past a literal, if it is next.
private func advance(
  _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, past word: StaticString
) {
  guard end - at >= word.utf8CodeUnitCount else { return }
  for index in 0..<word.utf8CodeUnitCount where at[index] != word.utf8Start[index] { return }
  at += word.utf8CodeUnitCount
}

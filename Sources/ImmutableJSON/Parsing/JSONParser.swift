internal import CScan

/// Reads JSON text straight into a value, in one pass and without recursion.
///
/// Values that are complete wait on a stack for the array or object around them to end. What ends
/// takes its values off the stack and goes on it as one value:
///
/// ```
///   [1, {"a": [2, 3]}]
///            ^ here:    values      1  2
///                       keys           a
///                       containers  [  {  [
/// ```
///
/// A long array makes leaves of its values as it goes on (``TreeBuilder``), so the stack stays short.
///
/// A parser keeps its buffers and the keys that it saw from one text to the next; each thread has one
/// (``acquire()``).
final class JSONParser {
  var values = ParseStack<Value>()
  var keys = ParseStack<KeyBytes>()
  var builders: [TreeBuilder] = []
  var shapes = ShapeCache()

  /// The text of the string that is read, where it has escapes.
  var unescaped: [UInt8] = []

  /// The bytes of keys that have escapes, until the text is read.
  var unescapedKeys: [UnsafeMutableRawBufferPointer] = []

  var containers = ParseStack<Container>()

  /// Whether a text is being read. Nothing that reading calls reads another, but a second parser is
  /// safer than that.
  var isBusy = false

  /// Where the text begins.
  private var start: UnsafePointer<UInt8>?

  /// An array or object that has begun.
  struct Container {
    let isObject: Bool

    /// How many values and keys there were on the stacks before it.
    let firstValue: Int
    let firstKey: Int

    /// Whether the last of the builders is for this array.
    var hasBuilder = false
  }

  /// Why a text is not read.
  struct Failure: Error {
    enum Reason {
      /// It is not JSON, or has a number that is too large.
      case text

      case depth
    }

    let reason: Reason

    /// How many bytes of the text stand before the token that does not fit.
    let token: Int

    /// How many were looked at. Within a string or number, it is the next one that does not fit.
    let stop: Int

    let context: Context
  }

  /// What may stand at a place, and what stands before.
  enum Context {
    /// A value: the only one, the first of an array or a later one, or that of a member.
    case top, firstElement, element, member

    /// The first key of an object, or a later one.
    case firstKey, key

    /// What stands behind the value, an element, a key, a member.
    case end, elementEnd, keyEnd, memberEnd
  }
}

// MARK: The grammar

extension JSONParser {
  /// Reads a text. The parser has to be given back or emptied before the next.
  func parse(_ text: UnsafeBufferPointer<UInt8>) throws(Failure) -> Value {
    let empty: StaticString = ""
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

  /// Reads a value, or an array or object up to its first value.
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
    case UInt8(ascii: "\""):
      try self.parseString(&at, end, context)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try self.parseNumber(&at, end, context)
    case UInt8(ascii: "{"):
      return try self.beginObject(&at, end, &container, &context)
    case UInt8(ascii: "["):
      return try self.beginArray(&at, end, &container, &context)
    default:
      try self.parseLiteral(&at, end, context)
    }
    return true
  }

  /// Reads `{` and the first key, or `{}`.
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
    try self.parseKey(&at, end, .firstKey)
    context = .member
    return false
  }

  /// Reads `[`, or `[]`.
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

  /// Reads what stands behind a complete value: the ends of arrays and objects, and then a comma, in
  /// an object with the next key, or the end of the text.
  ///
  /// - Returns: Whether the text has ended.
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
        if try self.parseAfterMember(&at, end, current) {
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

  /// Reads a comma and the next key, or the end of the object.
  ///
  /// - Returns: Whether there is another member.
  @inline(__always)
  private func parseAfterMember(
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ object: Container
  ) throws(Failure) -> Bool {
    switch at < end ? at.pointee : 0 {
    case UInt8(ascii: ","):
      at += 1
      skipWhitespace(&at, end)
      try self.parseKey(&at, end, .key)
      return true
    case UInt8(ascii: "}"):
      at += 1
      self.closeObject(object)
      return false
    default:
      throw self.failure(at, at, .memberEnd)
    }
  }

  /// Reads a comma, or the end of the array.
  ///
  /// - Returns: Whether there is another element.
  @inline(__always)
  private func parseAfterElement(
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ array: Container,
    _ container: inout Container?
  ) throws(Failure) -> Bool {
    switch at < end ? at.pointee : 0 {
    case UInt8(ascii: ","):
      at += 1
      if self.values.count - array.firstValue >= TreeBuilder.flush {
        container = self.flush(array)
      }
      return true
    case UInt8(ascii: "]"):
      at += 1
      self.closeArray(array)
      return false
    default:
      throw self.failure(at, at, .elementEnd)
    }
  }

  /// Begins an array or object, and puts the one around it aside.
  private func open(
    _ around: Container?, isObject: Bool, _ at: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>, _ context: Context
  ) throws(Failure) -> Container {
    if let around {
      guard self.containers.count < ValueLimits.depth - 1 else {
        throw self.failure(at, at, context, .depth)
      }
      self.containers.push(around)
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
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ context: Context
  ) throws(Failure) {
    let start = at
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
  }

  private func parseNumber(
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ context: Context
  ) throws(Failure) {
    var number = scan_number_result()
    let start = at
    at = scan_number(at, end, &number)
    switch number.kind {
    case SCAN_INTEGER: self.values.push(.integer(number.integer))
    case SCAN_REAL: self.values.push(.real(number.real))
    case SCAN_LONG:
      let digits = UnsafeBufferPointer(start: start, count: at - start)
      guard let real = Double(String(decoding: digits, as: UTF8.self)), real.isFinite else {
        throw self.failure(start, at, context)
      }
      self.values.push(.real(real))
    default: throw self.failure(start, at, context)
    }
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

/// Goes on as far as the text is this word.
private func advance(
  _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, past word: StaticString
) {
  guard end - at >= word.utf8CodeUnitCount else { return }
  for index in 0..<word.utf8CodeUnitCount where at[index] != word.utf8Start[index] { return }
  at += word.utf8CodeUnitCount
}

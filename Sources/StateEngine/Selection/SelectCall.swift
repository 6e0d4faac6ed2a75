import ImmutableJSON

/// What a caller passes to select an output. Holds only pointers, which are valid during the call,
/// so that it is copied without counting references.
package struct SelectCall {
  /// The name of a selector, or an expression. May be invalid UTF-8.
  let text: UnsafeRawBufferPointer
  let isExpression: Bool
  let arguments: Arguments

  /// Whether the caller needs the output as text.
  let isWriting: Bool

  /// The budget of an evaluation in units of work; `nil` for the budget of the store.
  let budget: Int?

  /// What the call is found by. Calls with the same key displace each other.
  let key: Key

  /// A hash of all that determines the output.
  struct Key: Hashable {
    let hashValue: Int

    func hash(into hasher: inout Hasher) {
      hasher.combine(self.hashValue)
    }
  }

  package enum Arguments {
    case none
    case text(UnsafeRawBufferPointer)
    case value(UnsafePointer<Value>)

    /// JSON text, or `nil` for no arguments.
    package init(_ text: UnsafeRawBufferPointer?) {
      self = text.map(Self.text) ?? .none
    }

    /// An empty object is the same as no arguments.
    package init(_ value: UnsafePointer<Value>) {
      if case .object(let members) = value.pointee, members.isEmpty {
        self = .none
      } else {
        self = .value(value)
      }
    }
  }

  package init(
    _ text: UnsafeRawBufferPointer, isExpression: Bool, _ arguments: Arguments, isWriting: Bool,
    budget: Int? = nil
  ) {
    self.text = text
    self.isExpression = isExpression
    self.arguments = arguments
    self.isWriting = isWriting
    self.budget = budget
    self.key = Key(
      hashValue: Self.hash(text, arguments) &+ (isExpression ? 1 : 0) &+ (budget ?? -1))
  }

  private static func hash(_ text: UnsafeRawBufferPointer, _ arguments: Arguments) -> Int {
    switch arguments {
    case .none: text.quickHash
    case .text(let arguments): text.quickHash ^ ~arguments.quickHash
    case .value(let value): text.quickHash ^ value.pointee.quickHash
    }
  }
}

extension Value {
  /// A hash of the members of arguments, which are few and mostly scalars. Other forms of the same
  /// number may have another hash.
  fileprivate var quickHash: Int {
    guard case .object(let members) = self else { return self.hashValue }
    var hash = 0
    members.values.forEach { value in
      let next =
        switch value {
        case .integer(let integer): Int(truncatingIfNeeded: integer)
        case .string(var text): text.withUTF8 { UnsafeRawBufferPointer($0).quickHash }
        default: value.hashValue
        }
      hash = (hash &* 31) ^ next
    }
    return hash
  }
}

extension UnsafeRawBufferPointer {
  /// A hash that takes one multiplication for each 8 bytes.
  fileprivate var quickHash: Int {
    var hash = UInt64(truncatingIfNeeded: self.count)
    func add(_ word: UInt64) {
      let (high, low) = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      hash = high ^ low
    }
    var index = 0
    while index + 8 <= self.count {
      add(self.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    var rest: UInt64 = 0
    while index < self.count {
      rest = rest << 8 | UInt64(self[index])
      index += 1
    }
    add(rest)
    return Int(truncatingIfNeeded: hash)
  }
}

extension SelectCall.Arguments {
  func read() throws(EngineError) -> Value {
    switch self {
    case .none: [:]
    case .text(let text): try Value(reading: text, .arguments)
    case .value(let value): value.pointee
    }
  }
}

extension SelectCall {
  /// The number of bytes that a copy holds, beside the value of arguments.
  var size: Int {
    if case .text(let arguments) = self.arguments {
      self.text.count + arguments.count
    } else {
      self.text.count
    }
  }

  /// A copy of a call, to compare later ones with. A class, because to copy its members would take
  /// longer than most comparisons.
  final class Copy {
    private let text: [UInt8]
    private let isExpression: Bool
    private let argumentsText: [UInt8]?
    private let argumentsValue: Value?
    private let budget: Int?

    init(_ call: SelectCall) {
      self.text = Array(call.text)
      self.isExpression = call.isExpression
      self.budget = call.budget
      (self.argumentsText, self.argumentsValue) =
        switch call.arguments {
        case .none: (nil, nil)
        case .text(let text): (Array(text), nil)
        case .value(let value): (nil, value.pointee)
        }
    }

    /// Whether the same was passed. (The output may be needed in another form.)
    func matches(_ call: SelectCall) -> Bool {
      guard self.isExpression == call.isExpression, self.budget == call.budget,
        self.text.hasSameBytes(as: call.text)
      else { return false }
      return switch call.arguments {
      case .none: self.argumentsText == nil && self.argumentsValue == nil
      case .text(let text): self.argumentsText?.hasSameBytes(as: text) == true
      case .value(let value): self.argumentsValue == value.pointee
      }
    }
  }
}

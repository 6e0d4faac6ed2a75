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
  }
}

extension SelectCall.Arguments {
  var isNone: Bool {
    if case .none = self { true } else { false }
  }

  func read() throws(EngineError) -> Value {
    switch self {
    case .none: [:]
    case .text(let text): try Value(reading: text, .arguments)
    case .value(let value): value.pointee
    }
  }
}

extension SelectCall {
  /// A copy of a call, to compare later ones with. A class, because to copy its members would take
  /// longer than most comparisons.
  final class Copy {
    private let text: [UInt8]
    private let isExpression: Bool
    private let argumentsText: [UInt8]?
    private let argumentsValue: Value?
    private let budget: Int?

    /// Bounds the time of a comparison, and the memory of the copies.
    private static var maxTextSize: Int { 256 }

    /// Copies a call, unless its arguments are long.
    init?(_ call: SelectCall) {
      switch call.arguments {
      case .none:
        (self.argumentsText, self.argumentsValue) = (nil, nil)
      case .text(let text):
        guard text.count <= Self.maxTextSize else { return nil }
        (self.argumentsText, self.argumentsValue) = (Array(text), nil)
      case .value(let value):
        guard value.pointee.textSizeBound <= Self.maxTextSize else { return nil }
        (self.argumentsText, self.argumentsValue) = (nil, value.pointee)
      }
      self.text = Array(call.text)
      self.isExpression = call.isExpression
      self.budget = call.budget
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

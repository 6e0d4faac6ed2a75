import ImmutableJSON

/// What a caller passed to select an output. Holds only pointers, which are valid during the call,
/// so that it is copied without counting references.
package struct SelectCall {
  /// The name of a selector, or an expression, as UTF-8.
  let selector: UnsafeRawBufferPointer
  let isExpression: Bool
  let arguments: Arguments

  /// Whether the caller needs the output as text.
  let isWriting: Bool

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
    selector: UnsafeRawBufferPointer, isExpression: Bool, arguments: Arguments, isWriting: Bool
  ) {
    self.selector = selector
    self.isExpression = isExpression
    self.arguments = arguments
    self.isWriting = isWriting
  }
}

/// The outputs that were selected last, by what the caller passed.
///
/// Programs select the same few outputs again and again. Finding one here takes no parsing, no
/// hashing and creates no string; otherwise that would take most of the time of a cached select.
struct RecentOutputs {
  private struct Entry {
    let selector: [UInt8]
    let isExpression: Bool
    let arguments: Arguments

    /// Whether the cache has counted the size of the text of the output.
    let isWritten: Bool

    let version: Int
    let output: CachedOutput

    func isFor(_ call: SelectCall) -> Bool {
      self.isExpression == call.isExpression && self.selector.hasSameBytes(as: call.selector)
        && self.arguments.match(call.arguments)
    }
  }

  private static var capacity: Int { 8 }

  private var entries: [Entry] = []
  private var next = 0

  /// Finds an output for a version of the state.
  func find(_ call: SelectCall, version: Int) -> CachedOutput? {
    self.entries.first {
      $0.version == version && (!call.isWriting || $0.isWritten) && $0.isFor(call)
    }?.output
  }

  /// Adds an output, in place of the oldest if there are too many. Ignores a call with long
  /// arguments.
  mutating func insert(_ output: CachedOutput, for call: SelectCall, version: Int) {
    guard let arguments = Arguments(call.arguments) else { return }
    let entry = Entry(
      selector: Array(call.selector), isExpression: call.isExpression, arguments: arguments,
      isWritten: call.isWriting, version: version, output: output)
    if let index = self.entries.firstIndex(where: { $0.isFor(call) }) {
      self.entries[index] = entry
    } else if self.entries.count < Self.capacity {
      self.entries.append(entry)
    } else {
      self.entries[self.next] = entry
      self.next = (self.next + 1) % Self.capacity
    }
  }

  mutating func removeAll() {
    self.entries.removeAll(keepingCapacity: true)
    self.next = 0
  }
}

extension RecentOutputs {
  /// A copy of the arguments of a call. Indirect, so that an entry without arguments is cheap to
  /// copy.
  private indirect enum Arguments {
    case none
    case text([UInt8])
    case value(Value)

    /// Bounds the time of a comparison, and the memory of the copies.
    private static var maxTextSize: Int { 256 }

    /// Copies the arguments, unless they are long.
    init?(_ arguments: SelectCall.Arguments) {
      switch arguments {
      case .none:
        self = .none
      case .text(let text):
        guard text.count <= Self.maxTextSize else { return nil }
        self = .text(Array(text))
      case .value(let value):
        guard value.pointee.textSizeBound <= Self.maxTextSize else { return nil }
        self = .value(value.pointee)
      }
    }

    func match(_ passed: SelectCall.Arguments) -> Bool {
      // One switch for each side, so that nothing is copied if there are no arguments.
      switch passed {
      case .none:
        if case .none = self { true } else { false }
      case .text(let passed):
        if case .text(let text) = self { text.hasSameBytes(as: passed) } else { false }
      case .value(let passed):
        if case .value(let value) = self { value == passed.pointee } else { false }
      }
    }
  }
}

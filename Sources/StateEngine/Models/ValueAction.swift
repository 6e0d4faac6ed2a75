import ImmutableJSON

/// An action of a store of values. A short text stays a text until somebody needs the value.
package enum ValueAction: Sendable {
  case value(Value)
  case text(ShortText)
  /// An action of a log. It was accepted when it was dispatched, so schemas do not apply to it.
  case logged(Value)

  package var value: Value {
    switch self {
    case .value(let value), .logged(let value): value
    case .text(let text): text.value
    }
  }

  var isLogged: Bool {
    if case .logged = self { true } else { false }
  }
}

extension ShortText {
  /// Whether it is an action that needs no further check: with a type and at most a payload.
  var isPlainAction: Bool {
    var (hasType, hasPayload) = (false, false)
    let isPlain = self.allMembers { key, string in
      if key.hasSameBytes(as: "type"), !hasType, let string, !string.isEmpty {
        hasType = true
        return string[0] != UInt8(ascii: "@")
      }
      guard key.hasSameBytes(as: "payload"), !hasPayload else { return false }
      hasPayload = true
      return true
    }
    return isPlain && hasType
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func hasSameBytes(as text: StaticString) -> Bool {
    self.hasSameBytes(
      as: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}

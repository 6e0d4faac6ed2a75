import ImmutableJSON

/// What a trace must not show: the values at some JSON Pointers.
///
/// Each pointer applies to every value that a trace shows: states, whole actions, the arguments of
/// selectors and effects, and the results of effects. Messages may quote any value, so none is
/// shown if there are pointers.
struct Redaction: Sendable {
  private(set) var pointers: [JSONPointer] = []

  /// What a redacted value is replaced by.
  static let mark: Value = "[redacted]"

  /// Bounds the work for each line.
  private static var limit: Int { 256 }
}

extension Redaction {
  static var everything: Self {
    Self(pointers: [JSONPointer()])
  }

  var isEmpty: Bool {
    self.pointers.isEmpty
  }

  /// - Parameter source: The name of the list in messages.
  mutating func add(_ texts: [String], _ source: String) throws(EngineError) {
    for text in texts {
      do {
        self.pointers.append(try JSONPointer(text))
      } catch {
        throw EngineError(.invalidArgument, "\(source): \(error.message)")
      }
    }
    guard self.pointers.count <= Self.limit else {
      throw EngineError(
        .invalidArgument,
        "\(source): \(self.pointers.count) pointers are more than \(Self.limit); name what "
          + "contains the values")
    }
  }

  /// Replaces the redacted values in a value.
  func apply(to value: Value) -> Value {
    self.pointers.reduce(value) { $0.replacing($1, by: Self.mark) }
  }

  /// Replaces the redacted values in two states, so that their difference has none of them. It
  /// still shows which of them changed.
  func apply(to states: (old: Value, new: Value)) -> (old: Value, new: Value) {
    self.pointers.reduce(states) { states, pointer in
      let (old, new) = (try? states.old.get(pointer), try? states.new.get(pointer))
      // The difference contains only new values.
      return (
        states.old.replacing(pointer, by: old == new ? Self.mark : .null),
        states.new.replacing(pointer, by: Self.mark)
      )
    }
  }

  func apply(toMessage message: String) -> Value {
    self.isEmpty ? .string(message) : Self.mark
  }
}

extension Value {
  /// The value with the one at a pointer replaced, if there is one. If that cannot be done because
  /// of a limit, all of it is replaced.
  fileprivate func replacing(_ pointer: JSONPointer, by other: Value) -> Value {
    guard (try? self.get(pointer)) != nil else { return self }
    return (try? self.setting(pointer, other)) ?? Redaction.mark
  }
}

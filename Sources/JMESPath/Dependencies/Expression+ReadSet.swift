import ImmutableJSON

extension Expression {
  /// The values that an expression reads from a document, to detect whether its result can change.
  ///
  /// Keeps these values alive, but not the rest of the document.
  ///
  /// ```swift
  /// let readSet = expression.readSet(of: state, with: arguments)
  /// readSet.isUnchanged(in: next)  // true: the result is the same for both, with equal arguments
  /// ```
  public final class ReadSet: Sendable {
    private let entries: [Entry]

    fileprivate init(_ entries: [Entry]) {
      self.entries = entries
    }

    /// Whether the same instances are at all paths of another value. O(the length of the paths).
    ///
    /// Conservative: `false` does not imply that the result differs.
    public func isUnchanged(in value: Value) -> Bool {
      self.entries.allSatisfy { $0.isUnchanged(in: value) }
    }

    /// The value at the path, if there is only one; null if nothing is there.
    public var onlyValue: Value? {
      self.entries.count == 1 ? self.entries[0].value : nil
    }

    /// The value at a path.
    fileprivate struct Entry {
      let path: [ObjectKey]
      let value: Value

      /// The number of keys that remain where null is reached. Distinguishes a null `a` from a null
      /// `a.b`: `a.[b]` is null only for the first.
      let remaining: Int

      init(of path: [ObjectKey], in value: Value) {
        self.path = path
        (self.value, self.remaining) = value.value(at: path)
      }

      func isUnchanged(in value: Value) -> Bool {
        let (value, remaining) = value.value(at: self.path)
        return remaining == self.remaining && value.isIdentical(to: self.value)
      }
    }
  }

  /// Captures the values at the ``paths(with:)`` of this expression.
  public func readSet(of value: Value, with arguments: JSONObject = JSONObject()) -> ReadSet {
    let keys =
      self.pathsDependOnArguments ? self.paths(with: arguments).map(\.objectKeys) : self.keys
    return ReadSet(keys.map { ReadSet.Entry(of: $0, in: value) })
  }
}

extension Path {
  var objectKeys: [ObjectKey] {
    self.keys.map { ObjectKey($0) }
  }
}

extension Value {
  /// The value at a path; or null, and the number of keys that remain there.
  fileprivate func value(at path: [ObjectKey]) -> (value: Value, remaining: Int) {
    var value = self
    for index in path.indices {
      if case .null = value { return (.null, path.count - index) }
      value = value[path[index]] ?? .null
    }
    return (value, 0)
  }
}

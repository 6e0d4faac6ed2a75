import ImmutableJSON

/// What an expression reads of a value. It keeps that alive, and no more of the value.
///
/// ```swift
/// let readSet = expression.readSet(of: state, with: arguments)
/// readSet.isUnchanged(in: next)  // whether the expression makes the same of both, with equal arguments
/// ```
public final class ReadSet: Sendable {
  private let ends: [End]

  fileprivate init(_ ends: [End]) {
    self.ends = ends
  }

  /// Whether another value is the same wherever the expression reads. O(the length of the paths).
  ///
  /// `false` says nothing: arrays and objects are the same here if they are identical.
  public func isUnchanged(in value: Value) -> Bool {
    self.ends.allSatisfy { $0.isUnchanged(in: value) }
  }

  /// What a path leads to.
  fileprivate struct End {
    let path: [ObjectKey]

    /// How many keys are left where null is reached. It makes a difference: `a.[b]` is null only if
    /// `a` is.
    let left: Int
    let value: Value

    init(of path: [ObjectKey], in value: Value) {
      self.path = path
      (self.value, self.left) = value.following(path)
    }

    func isUnchanged(in value: Value) -> Bool {
      let (value, left) = value.following(self.path)
      return left == self.left && value.isIdentical(to: self.value)
    }
  }
}

extension Expression {
  /// What this reads of a value, at its ``paths(with:)``.
  public func readSet(of value: Value, with arguments: JSONObject = JSONObject()) -> ReadSet {
    let keys = self.pathsDependOnArguments ? self.paths(with: arguments).map(\.objectKeys) : self.keys
    return ReadSet(keys.map { ReadSet.End(of: $0, in: value) })
  }
}

extension Path {
  var objectKeys: [ObjectKey] {
    self.keys.map { ObjectKey($0) }
  }
}

extension Value {
  /// Where keys lead, or null and how many keys are left there.
  fileprivate func following(_ path: [ObjectKey]) -> (value: Value, left: Int) {
    var value = self
    for index in path.indices {
      if case .null = value { return (.null, path.count - index) }
      value = value[path[index]] ?? .null
    }
    return (value, 0)
  }
}

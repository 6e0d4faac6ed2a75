extension Value {
  /// Returns this value with all operations of a JSON Patch applied (RFC 6902).
  ///
  /// Atomic: if an operation fails, none is applied. `test` compares as ``isEquivalent(to:)`` does.
  /// `replace` requires an existing value, also for members. O(log n) for each token of each
  /// operation, plus the comparisons of `test`.
  ///
  /// - Throws: ``JSONPatchError`` with the failed operation; `limit` also if the patch takes more
  ///   work than ``ValueLimits/work``.
  public func applying(patch: Value) throws(JSONPatchError) -> Value {
    var budget = WorkBudget()
    return try self.applying(patch: patch, &budget)
  }

  /// The same as ``applying(patch:)``, within a budget. Charges one unit for each operation and
  /// each token of its pointers, the comparisons of `test`, and the measuring of results that are
  /// near a limit.
  public func applying(
    patch: Value, _ budget: inout WorkBudget
  ) throws(JSONPatchError) -> Value {
    guard case .array(let operations) = patch else {
      let message = "a JSON Patch must be an array of operations, not \(patch.kindWithArticle)"
      throw JSONPatchError(code: .invalid, operation: nil, message: message)
    }
    var value = self
    for (index, operation) in operations.enumerated() {
      do throws(JSONPatchOperation.Failure) {
        value = try value.applying(JSONPatchOperation(operation), &budget)
        do throws(WorkLimitError) {
          try budget.charge(value.measuringWork)
        } catch {
          throw JSONPatchOperation.Failure(error)
        }
      } catch {
        let message = "operation \(index): \(error.reason)"
        throw JSONPatchError(code: error.code, operation: index, message: message)
      }
    }
    return value
  }

  private func applying(
    _ operation: JSONPatchOperation, _ budget: inout WorkBudget
  ) throws(JSONPatchOperation.Failure) -> Value {
    try operation.charge(&budget)
    do throws(JSONPointerError) {
      switch operation {
      case .add(let path, let value):
        return try self.inserting(path, value)
      case .remove(let path):
        return try self.removing(path)
      case .replace(let path, let value):
        _ = try self.get(path)
        return try self.setting(path, value)
      case .move(let from, let path):
        return try self.moving(from, path)
      case .copy(let from, let path):
        return try self.inserting(path, self.get(from))
      case .test:
        break
      }
    } catch {
      throw JSONPatchOperation.Failure(error)
    }
    if case .test(let path, let expected) = operation {
      try self.test(path, expected, &budget)
    }
    return self
  }

  /// Fails unless the value at a pointer is the expected one.
  private func test(
    _ path: JSONPointer, _ expected: Value, _ budget: inout WorkBudget
  ) throws(JSONPatchOperation.Failure) {
    let found: Value
    do {
      found = try self.get(path)
    } catch {
      throw JSONPatchOperation.Failure(error)
    }
    let isEquivalent: Bool
    do {
      isEquivalent = try found.isEquivalent(to: expected, &budget)
    } catch {
      throw JSONPatchOperation.Failure(error)
    }
    guard isEquivalent else {
      throw JSONPatchOperation.Failure(testing: path, found: found, expected: expected)
    }
  }

  /// Performs `remove` and then `add`. A value cannot be moved into itself.
  private func moving(
    _ from: JSONPointer, _ path: JSONPointer
  ) throws(JSONPointerError) -> Value {
    let element = try self.get(from)
    guard path.begins(with: from) else {
      return try self.removing(from).inserting(path, element)
    }
    guard path.tokens.count == from.tokens.count else {
      throw JSONPointerError(
        code: .invalid,
        message: "\(from.quotedText) cannot be moved into itself")
    }
    return self
  }
}

extension JSONPointer {
  /// Whether this pointer is equal to another, or leads through it.
  fileprivate func begins(with other: JSONPointer) -> Bool {
    self.tokens.starts(with: other.tokens) { $0.utf8.elementsEqual($1.utf8) }
  }
}

extension JSONPatchOperation {
  fileprivate func charge(_ budget: inout WorkBudget) throws(Failure) {
    let tokens =
      switch self {
      case .add(let path, _), .remove(let path), .replace(let path, _), .test(let path, _):
        path.tokens.count
      case .move(let from, let path), .copy(let from, let path):
        from.tokens.count + path.tokens.count
      }
    do {
      try budget.charge(1 + tokens)
    } catch {
      throw Failure(error)
    }
  }
}

extension JSONPatchOperation.Failure {
  /// Describes a failed `test`, without the text of large values.
  fileprivate init(testing path: JSONPointer, found: Value, expected: Value) {
    let place = path.quotedText
    switch (found, expected) {
    case (.array, .array), (.object, .object):
      self.init(.testFailed, "\(place) is \(found.brief), but not the expected one")
    default:
      self.init(.testFailed, "\(place) is \(found.brief), not \(expected.brief)")
    }
  }
}

extension Value {
  /// The text of a scalar, truncated if it is long; only the kind of an array or object.
  fileprivate var brief: String {
    switch self {
    case .array, .object: self.kindWithArticle
    case .string(let string): quoted(string)
    default: self.json
    }
  }
}

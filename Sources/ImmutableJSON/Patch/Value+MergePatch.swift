extension Value {
  /// Returns this value with a JSON Merge Patch applied (RFC 7396).
  ///
  /// Merges objects recursively; a `null` member removes. A patch that is not an object replaces
  /// the value. The result shares unchanged parts with this value: a patch that is an object and
  /// changes nothing returns the same instance. O(log n) for each member of the patch, plus the
  /// comparison of its arrays with the current ones.
  ///
  /// - Throws: ``JSONPatchError`` (`limit`) if this takes more work than ``ValueLimits/work``, or
  ///   the result would exceed the limits of values.
  public func merging(patch: Value) throws(JSONPatchError) -> Value {
    var budget = WorkBudget()
    return try self.merging(patch: patch, &budget)
  }

  /// The same as ``merging(patch:)``, within a budget. Charges one unit for each member of the
  /// patch, and the comparison of members that are not objects with the current ones.
  public func merging(
    patch: Value, _ budget: inout WorkBudget
  ) throws(JSONPatchError) -> Value {
    let result: Value
    do throws(WorkLimitError) {
      result = try self.merge(patch, &budget)
    } catch {
      throw JSONPatchError(code: .limit, operation: nil, message: "merging takes \(error)")
    }
    if let error = result.exceededLimit {
      throw JSONPatchError(code: .limit, operation: nil, message: "\(error)")
    }
    return result
  }

  private func merge(_ patch: Value, _ budget: inout WorkBudget) throws(WorkLimitError) -> Value {
    guard case .object(let changes) = patch else { return patch }
    var comparison = ValueComparison(.exact)
    var outer: [ObjectMerge] = []
    var merge = ObjectMerge(of: changes, into: self, key: "")
    while true {
      if let (key, change) = merge.changes.next() {
        try comparison.charge(1, &budget)
        switch (merge.result[key], change) {
        case (nil, .null):
          break
        case (_, .null):
          merge.result[key] = nil
        case (let old, .object(let changes)):
          outer.append(merge)
          merge = ObjectMerge(of: changes, into: old, key: key)
        case (let old, let new):
          guard let old, try comparison.areEqual(old, new, &budget) else {
            merge.result[key] = new
            continue
          }
        }
      } else if var next = outer.popLast() {
        if merge.isChange {
          next.result[merge.key] = .object(merge.result)
        }
        merge = next
      } else {
        return .object(merge.result)
      }
    }
  }
}

/// The merge of one object in progress.
private struct ObjectMerge {
  /// The key of this object in the enclosing one.
  let key: String

  private let old: JSONObject?
  var result: JSONObject
  var changes: JSONObject.Iterator

  /// If the value is not an object, the result is the changes without their nulls. It is computed
  /// by merging the changes into themselves, so that it shares the parts without nulls with the
  /// patch.
  init(of changes: JSONObject, into value: Value?, key: String) {
    self.key = key
    self.old = if case .object(let object)? = value { object } else { nil }
    self.result = self.old ?? changes
    self.changes = changes.makeIterator()
  }

  /// Whether the enclosing object must be updated with the result.
  var isChange: Bool {
    self.old.map { !self.result.isIdentical(to: $0) } ?? true
  }
}

extension Value {
  /// This value changed by a JSON Merge Patch (RFC 7396).
  ///
  /// Members of the patch replace those of this value, and `null` removes; objects are merged
  /// member by member, and whatever else the patch is takes the place of the value. What a patch
  /// does not change is shared with this value: one that changes nothing gives back the very same
  /// object. O(log n) for each member of the patch, beside comparing its arrays with what is there.
  ///
  /// - Throws: ``JSONPatchError`` (`limit`) if that takes more work than ``ValueLimits/work``, or the
  ///   result would be beyond the limits of values.
  public func merging(patch: Value) throws(JSONPatchError) -> Value {
    var budget = WorkBudget()
    return try self.merging(patch: patch, &budget)
  }

  /// The same within a budget. Charges a unit for each member of the patch, and what comparing
  /// arrays and strings with what is there costs.
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
    var comparison = ValueComparison(.identical)
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

/// The merging of one object, as far as it has come.
private struct ObjectMerge {
  /// The member that the object is in the one around it.
  let key: String

  private let old: JSONObject?
  var result: JSONObject
  var changes: JSONObject.Iterator

  /// What is no object is replaced by the changes without their nulls. That is what comes out of
  /// merging them into themselves, and shares the parts of the patch that have none.
  init(of changes: JSONObject, into value: Value?, key: String) {
    self.key = key
    self.old = if case .object(let object)? = value { object } else { nil }
    self.result = self.old ?? changes
    self.changes = changes.makeIterator()
  }

  /// Whether the object around has to take up the result.
  var isChange: Bool {
    self.old.map { !self.result.isIdentical(to: $0) } ?? true
  }
}

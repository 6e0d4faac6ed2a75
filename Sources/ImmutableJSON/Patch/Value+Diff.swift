extension Value {
  /// What changed from this value to another, as a JSON Patch (RFC 6902).
  ///
  /// Applied to this value the patch gives the other. It is not always the shortest there is, but
  /// never says more than that a changed scalar was replaced, a member added or removed, and
  /// elements inserted or removed where they were. Shared parts are not looked at: the cost is that
  /// of what changed, and a node of each level on the way there.
  ///
  /// - Throws: ``JSONPatchError`` (`limit`) if that takes more work than ``ValueLimits/work``, or the
  ///   patch would be beyond the limits of values: it nests two levels deeper than what it adds.
  public func diff(to other: Value) throws(JSONPatchError) -> Value {
    var budget = WorkBudget()
    return try self.diff(to: other, &budget)
  }

  /// The same within a budget. Charges a unit for each pair of values, the bytes of strings, and 16
  /// units and the bytes of its path for each operation.
  public func diff(
    to other: Value, _ budget: inout WorkBudget
  ) throws(JSONPatchError) -> Value {
    var builder = PatchBuilder(budget)
    defer { budget = builder.budget }
    do throws(WorkLimitError) {
      try builder.compare(self, other)
    } catch {
      throw JSONPatchError(code: .limit, operation: nil, message: "comparing takes \(error)")
    }
    let patch = Value.array(JSONArray(root: .build(builder.operations)))
    if let error = patch.exceededLimit {
      throw JSONPatchError(code: .limit, operation: nil, message: "\(error)")
    }
    return patch
  }
}

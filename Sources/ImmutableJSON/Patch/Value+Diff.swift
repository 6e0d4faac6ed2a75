extension Value {
  /// Returns the difference from this value to another as a JSON Patch (RFC 6902).
  ///
  /// Applying the patch to this value yields the other. The patch is not always minimal, but
  /// replaces only what changed: scalars, added and removed members, inserted and removed elements.
  /// Skips shared subtrees, so the cost is proportional to the change, times the height of the
  /// tree.
  ///
  /// - Throws: ``JSONPatchError`` (`limit`) if this takes more work than ``ValueLimits/work``, or
  ///   the patch would exceed the limits of values: it nests two levels deeper than the values it
  ///   adds.
  public func diff(to other: Value) throws(JSONPatchError) -> Value {
    var budget = WorkBudget()
    return try self.diff(to: other, &budget)
  }

  /// The same as ``diff(to:)``, within a budget. Charges one unit for each comparison of two
  /// values, the bytes of strings, and for each operation 16 units and the bytes of its path. Small
  /// parts that differ are compared twice.
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

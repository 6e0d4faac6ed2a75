extension Value {
  /// This value changed by a JSON Merge Patch (RFC 7396).
  ///
  /// Members of the patch replace those of this value, and `null` removes; objects are merged
  /// member by member, and whatever else the patch is takes the place of the value. What a patch
  /// does not change is shared with this value: one that changes nothing gives back the very same
  /// object. O(log n) for each member of the patch, beside comparing its arrays with what is there.
  ///
  /// Nothing can fail: the result nests no deeper than this value or the patch, and merging is a
  /// loop, as it would take more stack than reading if it recursed.
  public func merging(patch: Value) -> Value {
    guard case .object(let changes) = patch else { return patch }
    var outer: [ObjectMerge] = []
    var merge = ObjectMerge(of: changes, into: self, key: "")
    while true {
      if let (key, change) = merge.changes.next() {
        switch (merge.result[key], change) {
        case (nil, .null):
          break
        case (_, .null):
          merge.result[key] = nil
        case (let old, .object(let changes)):
          outer.append(merge)
          merge = ObjectMerge(of: changes, into: old, key: key)
        case (let old, let new):
          if old != new {
            merge.result[key] = new
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

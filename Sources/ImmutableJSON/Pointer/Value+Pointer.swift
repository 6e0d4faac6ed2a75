extension Value {
  /// Returns the value at a pointer. O(log n) for each token (RFC 6901, section 4).
  ///
  /// - Throws: ``JSONPointerError``: `notFound` if there is no such member or element, `invalid` if
  ///   the pointer leads into a scalar, or into an array with a token that is not an index.
  public func get(_ pointer: JSONPointer) throws(JSONPointerError) -> Value {
    var value = self
    for position in pointer.tokens.indices {
      let target = try pointer.target(at: position, in: value)
      guard let next = target.value else { throw pointer.notFound(target, at: position) }
      value = next
    }
    return value
  }

  /// Returns a copy of this value with the element at a pointer replaced.
  ///
  /// Adds a missing member. The index `-`, or the count of elements, appends to an array. All
  /// values above the last token must exist. The copy shares everything outside that path with this
  /// value. If an equal scalar or the same instance is there, returns this instance. O(log n) for
  /// each token.
  ///
  /// - Throws: ``JSONPointerError``: as ``get(_:)`` does, and `limit` for a result beyond
  ///   ``ValueLimits``.
  public func setting(
    _ pointer: JSONPointer, _ element: Value
  ) throws(JSONPointerError) -> Value {
    let changed = try self.editing(pointer) { $0.setting(element) }
    return try (changed ?? element).checked(at: pointer)
  }

  /// Returns a copy of this value with an element inserted at a pointer.
  ///
  /// In an array, inserts before the element at that index; otherwise the same as
  /// ``setting(_:_:)``. This is the operation `add` of JSON Patch (RFC 6902, section 4.1).
  ///
  /// - Throws: ``JSONPointerError``, as ``setting(_:_:)`` does.
  public func inserting(
    _ pointer: JSONPointer, _ element: Value
  ) throws(JSONPointerError) -> Value {
    let changed = try self.editing(pointer) { $0.inserting(element) }
    return try (changed ?? element).checked(at: pointer)
  }

  /// Returns a copy of this value without the one at a pointer. O(log n) for each token.
  ///
  /// - Throws: ``JSONPointerError``: as ``get(_:)`` does, `invalid` for the pointer to the root,
  ///   and `limit` for a result beyond ``ValueLimits``.
  public func removing(_ pointer: JSONPointer) throws(JSONPointerError) -> Value {
    guard let value = try self.editing(pointer, { $0.removing() }) else {
      throw JSONPointerError(code: .invalid, message: "the whole value cannot be removed")
    }
    guard let error = value.exceededLimit else { return value }
    throw JSONPointerError(
      code: .limit, message: "\(pointer.quotedText) cannot be removed: \(error)")
  }

  /// Applies a change to the target of the last token, and copies the path back to the root.
  ///
  /// Iterative: neither a long pointer nor a deeply nested value takes stack.
  ///
  /// - Returns: `nil` if the pointer refers to the whole value.
  private func editing(
    _ pointer: JSONPointer, _ change: (PointerTarget) -> Value?
  ) throws(JSONPointerError) -> Value? {
    var path: [PointerTarget] = []
    var value = self
    for position in pointer.tokens.indices.dropLast() {
      let target = try pointer.target(at: position, in: value)
      guard let next = target.value else { throw pointer.notFound(target, at: position) }
      path.append(target)
      value = next
    }
    guard let last = pointer.tokens.indices.last else { return nil }
    let target = try pointer.target(at: last, in: value)
    guard var changed = change(target) else { throw pointer.notFound(target, at: last) }
    if case .member(_, let key) = target, let error = ObjectKeyError(key) {
      throw JSONPointerError(
        code: .invalid, message: "\(pointer.quotedText) cannot be set: \(error)")
    }
    while let target = path.popLast() {
      // Never nil: the target existed on the way down.
      changed = target.setting(changed) ?? changed
    }
    return changed
  }

  /// Returns this value, the result of setting an element, if it is within the limits.
  private func checked(at pointer: JSONPointer) throws(JSONPointerError) -> Value {
    guard let error = self.exceededLimit else { return self }
    throw JSONPointerError(
      code: .limit, message: "\(pointer.quotedText) cannot be set: \(error)")
  }
}

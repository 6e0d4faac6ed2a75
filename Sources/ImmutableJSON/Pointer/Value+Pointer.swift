extension Value {
  /// The value at a pointer. O(log n) for each token (RFC 6901, section 4).
  ///
  /// - Throws: ``JSONPointerError``: `notFound` if there is no such member or element, `invalid` if
  ///   the pointer leads into a scalar, or into an array by what is no index.
  public func get(_ pointer: JSONPointer) throws(JSONPointerError) -> Value {
    var value = self
    for position in pointer.tokens.indices {
      let place = try pointer.place(at: position, in: value)
      guard let next = place.value else { throw pointer.nothing(at: place, position) }
      value = next
    }
    return value
  }

  /// This value with an element at a pointer, in place of what is there.
  ///
  /// A member that is not there yet is added; the index `-`, or the count of elements, adds to the
  /// end of an array. What the pointer goes through has to be there. All that does not lie on the
  /// way is shared with this value. O(log n) for each token.
  ///
  /// - Throws: ``JSONPointerError``: as ``get(_:)`` does, and `limit` for a result that is
  ///   beyond ``ValueLimits``.
  public func setting(
    _ pointer: JSONPointer, _ element: Value
  ) throws(JSONPointerError) -> Value {
    let changed = try self.editing(pointer) { $0.setting(element) }
    return try (changed ?? element).checked(at: pointer)
  }

  /// This value with an element at a pointer: in an array before what is there, otherwise as
  /// ``setting(_:_:)`` has it. This is the operation `add` of JSON Patch (RFC 6902, section 4.1).
  ///
  /// - Throws: ``JSONPointerError``, as ``setting(_:_:)`` does.
  public func inserting(
    _ pointer: JSONPointer, _ element: Value
  ) throws(JSONPointerError) -> Value {
    let changed = try self.editing(pointer) { $0.inserting(element) }
    return try (changed ?? element).checked(at: pointer)
  }

  /// This value without what is at a pointer. O(log n) for each token.
  ///
  /// - Throws: ``JSONPointerError``: as ``get(_:)`` does, and `invalid` for the whole value.
  public func removing(_ pointer: JSONPointer) throws(JSONPointerError) -> Value {
    guard let value = try self.editing(pointer, { $0.removing() }) else {
      throw JSONPointerError(code: .invalid, message: "the whole value cannot be removed")
    }
    guard let error = value.exceededLimit else { return value }
    throw JSONPointerError(
      code: .limit, message: "\(pointer.quotedText) cannot be removed: \(error)")
  }

  /// Makes a change where the last token leads, and then copies the way back up.
  ///
  /// Goes down and up in loops: how long a pointer is and how deep a value nests takes no stack.
  ///
  /// - Returns: `nil` if the pointer is that of the whole value.
  private func editing(
    _ pointer: JSONPointer, _ change: (JSONPointer.Place) -> Value?
  ) throws(JSONPointerError) -> Value? {
    var way: [JSONPointer.Place] = []
    var value = self
    for position in pointer.tokens.indices.dropLast() {
      let place = try pointer.place(at: position, in: value)
      guard let next = place.value else { throw pointer.nothing(at: place, position) }
      way.append(place)
      value = next
    }
    guard let last = pointer.tokens.indices.last else { return nil }
    let place = try pointer.place(at: last, in: value)
    guard var changed = change(place) else { throw pointer.nothing(at: place, last) }
    if case .member(_, let key) = place, let error = ObjectKeyError(key) {
      throw JSONPointerError(
        code: .invalid, message: "nothing can be put at \(pointer.quotedText): \(error)")
    }
    while let place = way.popLast() {
      // Never nil: on the way down there was something at this place.
      changed = place.setting(changed) ?? changed
    }
    return changed
  }

  /// This value, if it is within the limits: what putting something at a pointer made.
  private func checked(at pointer: JSONPointer) throws(JSONPointerError) -> Value {
    guard let error = self.exceededLimit else { return self }
    throw JSONPointerError(
      code: .limit, message: "nothing can be put at \(pointer.quotedText): \(error)")
  }
}

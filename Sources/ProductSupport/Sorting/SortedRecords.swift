import HashTreeCollections
import ImmutableJSON

/// The records of a table that pass a filter, sorted, as a JSON array: the memo of a selector.
///
/// ```
/// { (state, arguments: SortedNotes, memo: inout SortedRecords<Note.ID, Note>?) in
///   try SortedRecords.select(state.notes, updating: &memo) {
///     SortedRecords(by: [arguments.key]) { $0.folder == arguments.folder }
///   }
/// }
/// ```
///
/// An update for another version of the table takes O(n/256) for each record that changed:
/// it is encoded, and moved. The new array shares all other parts with the previous one. If many
/// records have changed, all are sorted again.
@usableFromInline package struct SortedRecords<Key: Hashable & Sendable, Element>: Sendable
where
  Element: IdentityComparable & Identifiable & Encodable & Sendable, Element.ID == String
{
  @usableFromInline let keys: [SortKey<Element>]
  @usableFromInline let isIncluded: @Sendable (Element) -> Bool
  @usableFromInline let encode: @Sendable (Element) throws -> Value

  /// The version of the table that was sorted.
  @usableFromInline var table: TreeDictionary<Key, Element> = [:]
  @usableFromInline var list = SortedList<Element>([])
  @usableFromInline var values = JSONArray()

  /// - Parameters:
  ///   - keys: The sort keys, the most important first.
  ///   - isIncluded: The filter. It must depend on nothing but the element.
  ///   - encode: Returns the JSON of an element. It must depend on nothing else.
  @inlinable package init(
    by keys: [SortKey<Element>],
    where isIncluded: @escaping @Sendable (Element) -> Bool = { _ in true },
    encode: @escaping @Sendable (Element) throws -> Value = { try Value(encoding: $0) }
  ) {
    self.keys = keys
    self.encode = encode
    self.isIncluded = isIncluded
  }
}

extension SortedRecords where Element: ValueRepresentable {
  /// Encodes elements without `Value(encoding:)`, which looks up the conformance of each of them.
  package init(
    by keys: [SortKey<Element>],
    where isIncluded: @escaping @Sendable (Element) -> Bool = { _ in true }
  ) {
    self.init(by: keys, where: isIncluded, encode: { try $0.representation() })
  }
}

extension SortedRecords {
  /// Returns the sorted records of a table, and retains what the next call needs.
  ///
  /// - Parameters:
  ///   - memo: What the last call left.
  ///   - make: Creates a memo with the sort keys and the filter.
  @inlinable package static func select(
    _ table: TreeDictionary<Key, Element>, updating memo: inout Self?, _ make: () -> Self
  ) throws -> Value {
    var records = memo ?? make()
    try records.update(to: table)
    memo = records
    return .array(records.values)
  }

  /// Changes the array to that of another version of the table.
  @inlinable mutating func update(to table: TreeDictionary<Key, Element>) throws {
    let limit = 4 + self.values.count / 16
    guard let changes = TreeDictionary.changes(from: self.table, to: table, limit: limit),
      try changes.allSatisfy({ try self.apply($0) })
    else { return try self.sort(table) }
    self.table = table
  }

  @inlinable mutating func sort(_ table: TreeDictionary<Key, Element>) throws {
    let elements = table.values.filter(self.isIncluded).sorted(by: self.keys)
    self.values = JSONArray(try elements.map(self.encode))
    self.list = SortedList(elements)
    self.table = table
  }

  /// Applies a change of a record.
  ///
  /// - Returns: Whether it was possible. If not, the list and the array are invalid until all
  ///   records are sorted again.
  @inlinable mutating func apply(_ change: RecordChange<Element>) throws -> Bool {
    let old = change.old.flatMap { self.isIncluded($0) ? $0 : nil }
    let new = change.new.flatMap { self.isIncluded($0) ? $0 : nil }
    var removed: Int?
    if let old {
      guard let position = self.position(of: old) else { return false }
      removed = self.list.index(of: position)
      self.list.remove(at: position)
    }
    guard let new else {
      if let removed { self.values.remove(at: removed) }
      return true
    }
    let position = self.list.position(of: new, self.areInOrder)
    let index = self.list.index(of: position)
    self.list.insert(new, at: position)
    let value = try self.encode(new)
    if removed == index {
      self.values[index] = value
      return true
    }
    if let removed { self.values.remove(at: removed) }
    self.values.insert(value, at: index)
    return true
  }

  /// The position of an element in the list, or of one that is equal; `nil` if there is none.
  @inlinable func position(of element: Element) -> SortedList<Element>.Position? {
    let position = self.list.position(of: element, self.areInOrder)
    guard let other = self.list.element(at: position), !self.areInOrder(element, other) else {
      return nil
    }
    return position
  }

  /// Whether the first element comes before the second. An element is not compared with itself.
  @inlinable func areInOrder(_ left: Element, _ right: Element) -> Bool {
    !left.isIdentical(to: right) && self.keys.areInOrder(left, right)
  }
}

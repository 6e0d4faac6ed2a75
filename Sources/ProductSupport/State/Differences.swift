internal import CThreadRecord

/// A value that recognizes its copies in O(1), and whose `==` reports differences:
///
/// ```
/// static func == (left: Note, right: Note) -> Bool {
///   left.isIdentical(to: right) || Differences.report(left, right) || left.record == right.record
/// }
/// ```
@usableFromInline package protocol IdentityComparable: Equatable {
  /// Whether both are copies of one value, which are equal.
  func isIdentical(to other: Self) -> Bool
}

/// Finds the values that differ between two collections by comparing the collections.
///
/// `==` of two versions of a `TreeDictionary` skips what they share, so it takes time in proportion
/// to the changes. But no function of `TreeDictionary` says which values differ. So while two
/// versions are compared here, `==` of their values reports those that differ, and counts them as
/// equal. If the collections then compare equal, every difference was reported, because a
/// correct `==` compares every pair of values that differ.
@usableFromInline package enum Differences {
  /// The differences that a thread collects at the moment.
  fileprivate final class Collector<Element> {
    var pairs: [(Element, Element)] = []
    var isFull = false
    let limit: Int

    init(limit: Int) {
      self.limit = limit
    }
  }

  /// Returns the elements that differ between two collections; `nil` if there are more than
  /// `limit`, or the collections differ in another way.
  ///
  /// - Parameter areEqual: Compares the collections. A closure, because the comparison is slow in
  ///   code that does not know their type.
  @usableFromInline static func collect<Element>(
    of type: Element.Type = Element.self, limit: Int, comparing areEqual: () -> Bool
  ) -> [(Element, Element)]? {
    let collector = Collector<Element>(limit: limit)
    let record = thread_record_current()
    let outer = record.pointee.differences
    record.pointee.differences = Unmanaged.passUnretained(collector).toOpaque()
    defer { record.pointee.differences = outer }
    let countAsEqual = withExtendedLifetime(collector, areEqual)
    return countAsEqual && !collector.isFull ? collector.pairs : nil
  }

  /// Reports values that are not identical.
  ///
  /// - Returns: Whether this thread collects their differences. Then they count as equal.
  @usableFromInline package static func report<Element>(_ left: Element, _ right: Element) -> Bool {
    guard let current = thread_record_current().pointee.differences else { return false }
    let object = Unmanaged<AnyObject>.fromOpaque(current).takeUnretainedValue()
    guard let collector = object as? Collector<Element> else { return false }
    guard collector.pairs.count < collector.limit else {
      collector.isFull = true
      return false
    }
    collector.pairs.append((left, right))
    return true
  }
}

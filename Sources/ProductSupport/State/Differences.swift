#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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

  /// The thread-specific key of a thread's collector, which is not retained. A process has only
  /// 1,024 keys. Without one, no differences are collected.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// Returns the elements that differ between two collections; `nil` if there are more than
  /// `limit`, or the collections differ in another way, or the differences cannot be collected.
  ///
  /// - Parameter areEqual: Compares the collections. A closure, because the comparison is slow in
  ///   code that does not know their type.
  @usableFromInline static func collect<Element>(
    of type: Element.Type = Element.self, limit: Int, comparing areEqual: () -> Bool
  ) -> [(Element, Element)]? {
    guard let key = self.key else { return nil }
    let collector = Collector<Element>(limit: limit)
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, Unmanaged.passUnretained(collector).toOpaque())
    defer { pthread_setspecific(key, outer) }
    let countAsEqual = withExtendedLifetime(collector, areEqual)
    return countAsEqual && !collector.isFull ? collector.pairs : nil
  }

  /// Reports values that are not identical.
  ///
  /// - Returns: Whether this thread collects their differences. Then they count as equal.
  package static func report<Element>(_ left: Element, _ right: Element) -> Bool {
    guard let key = self.key, let current = pthread_getspecific(key) else { return false }
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

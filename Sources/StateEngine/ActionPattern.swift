import ImmutableJSON

/// A pattern of action types: `ui/*` stands for every type that begins with `ui/`.
///
/// `*` stands for any text, also for none, and may stand anywhere. Everything else stands for itself.
public struct ActionPattern: Sendable {
  private let parts: [[UInt8]]

  public init(_ pattern: String) {
    self.parts = pattern.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
      .map(Array.init)
  }

  /// Whether it stands for a type. O(the length of the type times that of the pattern).
  public func matches(_ type: String) -> Bool {
    guard let first = self.parts.first, let last = self.parts.last else { return false }
    var rest = Array(type.utf8)[...]
    guard rest.starts(with: first) else { return false }
    guard self.parts.count > 1 else { return rest.count == first.count }
    rest.removeFirst(first.count)
    for part in self.parts[1..<(self.parts.count - 1)] {
      guard let end = rest.end(ofFirst: part) else { return false }
      rest = rest[end...]
    }
    return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
  }
}

extension ActionPattern {
  /// Whether any of some patterns stands for an action's type.
  static func any(of patterns: [ActionPattern], matches action: Value) -> Bool {
    guard case .string(let type) = action["type"] else { return false }
    return patterns.contains { $0.matches(type) }
  }
}

extension ArraySlice<UInt8> {
  /// Behind the first place where `part` stands.
  fileprivate func end(ofFirst part: [UInt8]) -> Int? {
    guard self.count >= part.count else { return nil }
    let starts = self.startIndex...(self.endIndex - part.count)
    return starts.first { self[$0...].starts(with: part) }.map { $0 + part.count }
  }
}

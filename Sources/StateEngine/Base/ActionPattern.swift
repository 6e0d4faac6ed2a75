import ImmutableJSON

/// A pattern of action types: `ui/*` matches every type that begins with `ui/`.
///
/// `*` matches any text, including the empty one, and may be anywhere in the pattern. All other
/// characters match themselves.
public struct ActionPattern: Sendable {
  private let parts: [ByteSearch]

  public init(_ pattern: String) {
    self.parts = pattern.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
      .map { ByteSearch($0) }
  }

  /// Whether the pattern matches a type. O(length of the type + length of the pattern).
  public func matches(_ type: String) -> Bool {
    var type = type
    return type.withUTF8 { self.matches($0) }
  }

  private func matches(_ type: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = self.parts.first?.pattern, let last = self.parts.last?.pattern,
      type.starts(with: first)
    else { return false }
    guard self.parts.count > 1 else { return type.count == first.count }
    var rest = type[first.count...]
    for part in self.parts.dropFirst().dropLast() {
      guard let end = part.end(in: UnsafeBufferPointer(rebasing: rest)) else { return false }
      rest = rest.dropFirst(end)
    }
    return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
  }
}

extension ActionPattern {
  /// Whether any of the patterns matches the type of an action.
  static func any(of patterns: [ActionPattern], matches action: Value) -> Bool {
    guard case .string(let type) = action["type"] else { return false }
    return patterns.contains { $0.matches(type) }
  }
}

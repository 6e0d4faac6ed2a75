/// Where the texts of the nodes of a value are in the JSON text of the value.
///
/// The next version of the value is then written faster: the text of a node that both versions
/// contain is copied. The text of a node is that of its values, with commas between them and
/// without brackets, because a node can be the root of one array and a child in another.
///
/// Only nodes with at least 512 bytes of text are recorded, and of these only the lowest. So there
/// are at most n / 512 ranges for n bytes, and a change makes only a few of them useless.
package struct TextRanges: @unchecked Sendable {
  /// Retains the nodes, which are found by their addresses.
  private let value: Value
  private var ranges: [ObjectIdentifier: Range<Int>] = [:]

  /// The end of the last range.
  private var end = 0

  fileprivate init(of value: Value) {
    self.value = value
  }

  package var count: Int {
    self.ranges.count
  }

  private static var minimumLength: Int { 512 }

  fileprivate func range(of node: Unmanaged<Node>) -> Range<Int>? {
    node._withUnsafeGuaranteedRef { self.ranges[ObjectIdentifier($0)] }
  }

  /// Records a node whose text ends the text written so far.
  fileprivate mutating func record(_ node: Unmanaged<Node>, _ range: Range<Int>) {
    guard range.count >= Self.minimumLength, self.end <= range.lowerBound else { return }
    node._withUnsafeGuaranteedRef { self.ranges[ObjectIdentifier($0)] = range }
    self.end = range.upperBound
  }
}

/// The texts of the nodes of a value that is being written.
struct NodeTexts {
  private(set) var ranges: TextRanges
  private let earlier: EarlierText?
  private let isRecording: Bool

  /// Copies and records nothing.
  static var unused: Self {
    Self(ranges: TextRanges(of: .null), earlier: nil, isRecording: false)
  }

  private init(ranges: TextRanges, earlier: EarlierText?, isRecording: Bool) {
    (self.ranges, self.earlier, self.isRecording) = (ranges, earlier, isRecording)
  }

  init(of value: Value, after earlier: EarlierText?) {
    self.init(ranges: TextRanges(of: value), earlier: earlier, isRecording: true)
  }

  /// The text of a node in the earlier text.
  func earlierText(of node: Unmanaged<Node>) -> UnsafeRawBufferPointer? {
    guard let earlier, let range = earlier.ranges.range(of: node) else { return nil }
    return UnsafeRawBufferPointer(rebasing: earlier.text[range])
  }

  mutating func record(_ node: Unmanaged<Node>, from start: Int, to end: Int) {
    guard self.isRecording else { return }
    self.ranges.record(node, start..<end)
  }
}

/// The JSON text of an earlier version of a value.
package struct EarlierText {
  let ranges: TextRanges
  let text: UnsafeRawBufferPointer

  /// - Parameter text: Valid while this is used.
  package init(_ ranges: TextRanges, _ text: UnsafeRawBufferPointer) {
    self.ranges = ranges
    self.text = text
  }
}

import ImmutableJSON
import Glibc

/// Immutable, reference-counted UTF-8 text with a terminating NUL.
///
/// The text of a cached output is returned without a copy, however long it is. A C program has only
/// the address of the first byte. The word before it is the address of this object, or 0:
///
/// ```
///   isOwned | count | start || address of the object | bytes | NUL      a short text
///
///   isOwned | count | start      address of the object | bytes | NUL    a long text of JSON
///
///                                                    0 | bytes | NUL    a copy without an object
/// ```
///
/// The writer's memory of a long text is not copied.
public final class Text: ManagedBuffer<TextHeader, UInt8> {
  deinit {
    self.withUnsafeMutablePointerToHeader { header in
      if header.pointee.isOwned {
        free(header.pointee.start - Self.prefix)
      }
    }
  }

  /// The size of the address before the bytes.
  private static var prefix: Int { MemoryLayout<UnsafeRawPointer>.size }

  /// The length from which the memory of the writer is not copied.
  private static var minLongCount: Int { 4096 }

  /// Creates a text with these bytes.
  public static func make(_ bytes: [UInt8]) -> Text {
    bytes.withUnsafeBytes { self.make($0) }
  }

  /// Creates a text with these bytes.
  public static func make(_ bytes: UnsafeRawBufferPointer) -> Text {
    let text = self.make(capacity: self.prefix + bytes.count + 1)
    text.withUnsafeMutablePointerToElements { elements in
      UnsafeMutableRawBufferPointer(start: elements + self.prefix, count: bytes.count)
        .copyMemory(from: bytes)
      text.setStart(elements + self.prefix, bytes.count, isOwned: false)
    }
    return text
  }

  /// Creates the canonical JSON text of a value.
  public static func make(json value: Value) -> Text {
    self.make(moving: value.writeJSON(prefix: self.prefix))
  }

  /// Creates the canonical JSON text of a value. Copies what the value shares with an earlier one.
  static func make(
    json value: Value, after earlier: (text: Text, ranges: TextRanges)?
  ) -> (Text, TextRanges) {
    withExtendedLifetime(earlier) {
      let earlier = earlier.map { EarlierText($0.ranges, $0.text.bytes) }
      let (json, ranges) = value.writeJSON(prefix: self.prefix, after: earlier)
      return (self.make(moving: json), ranges)
    }
  }

  private static func make(moving json: WrittenJSON) -> Text {
    let start = json.memory + self.prefix
    guard json.count >= self.minLongCount else {
      defer { free(json.memory) }
      return self.make(UnsafeRawBufferPointer(start: start, count: json.count))
    }
    let text = self.make(capacity: 0)
    text.setStart(start, json.count, isOwned: true)
    return text
  }

  private static func make(capacity: Int) -> Text {
    let buffer = self.create(minimumCapacity: capacity) { buffer in
      buffer.withUnsafeMutablePointerToElements { TextHeader(start: $0) }
    }
    return unsafeDowncast(buffer, to: Text.self)
  }

  private func setStart(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, isOwned: Bool) {
    start[count] = 0
    let object = Unmanaged.passUnretained(self).toOpaque()
    UnsafeMutableRawPointer(start - Self.prefix)
      .storeBytes(of: object, as: UnsafeMutableRawPointer.self)
    self.withUnsafeMutablePointerToHeader { header in
      header.pointee = TextHeader(isOwned: isOwned, count: count, start: start)
    }
  }

  /// A new reference to this text, for a C program.
  package var owned: OwnedText {
    _ = Unmanaged.passRetained(self)
    return OwnedText(start: UnsafeMutableRawPointer(self.start), count: self.count)
  }

  /// Copies bytes to memory without an object, which is faster to make and to release.
  package static func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer {
    guard let memory = malloc(self.prefix + bytes.count + 1) else { fatalError("out of memory") }
    memory.storeBytes(of: 0, as: UInt.self)
    let start = memory + self.prefix
    UnsafeMutableRawBufferPointer(start: start, count: bytes.count).copyMemory(from: bytes)
    start.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
    return start
  }

  /// Releases the text, or the copy, at an address that a program owned.
  package static func release(at start: UnsafeMutableRawPointer) {
    let memory = start - self.prefix
    if let text = memory.load(as: Unmanaged<Text>?.self) {
      text.release()
    } else {
      free(memory)
    }
  }

  /// The number of bytes before the NUL.
  public var count: Int {
    self.header.count
  }

  /// The bytes, without the NUL. Valid while the text is retained.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: self.start, count: self.count)
  }

  /// The bytes. Valid while the text is retained.
  public var start: UnsafeMutablePointer<UInt8> {
    self.header.start
  }
}

extension Text: CustomStringConvertible {
  public var description: String {
    String(decoding: UnsafeBufferPointer(start: self.start, count: self.count), as: UTF8.self)
  }
}

/// The last member is a pointer, so that the address after the header is aligned.
public struct TextHeader {
  /// Whether the bytes are in memory of their own, which `free` frees.
  fileprivate var isOwned = false

  fileprivate var count = 0
  fileprivate var start: UnsafeMutablePointer<UInt8>
}

/// A text that a C program owns: a reference to a ``Text``, or a copy.
package struct OwnedText {
  package let start: UnsafeMutableRawPointer
  package let count: Int
}

/// The elements of a sorted array in chunks.
///
/// A copy is O(1). Changing a list that has a copy copies one or two chunks, which have up to 512
/// elements, and the list of chunks: O(n/256).
@usableFromInline struct SortedList<Element> {
  /// Where an element is, or would be inserted.
  @usableFromInline struct Position {
    @usableFromInline var chunk: Int
    @usableFromInline var offset: Int

    @usableFromInline init(chunk: Int, offset: Int) {
      self.chunk = chunk
      self.offset = offset
    }
  }

  @inlinable static var chunkSize: Int { 256 }

  /// None of them is empty, and two neighbors have more than ``chunkSize`` elements together.
  @usableFromInline var chunks: [[Element]]

  /// - Parameter elements: In order.
  @inlinable init(_ elements: [Element]) {
    self.chunks = stride(from: 0, to: elements.count, by: Self.chunkSize).map { start in
      Array(elements[start..<min(start + Self.chunkSize, elements.count)])
    }
  }
}

extension SortedList {
  /// The position of the first element that does not precede `element`. O(log n).
  @inlinable func position(
    of element: Element, _ precedes: (Element, Element) -> Bool
  ) -> Position {
    let chunk = Self.partition(self.chunks.count) { index in
      self.chunks[index].last.map { precedes($0, element) } ?? false
    }
    guard chunk < self.chunks.count else { return Position(chunk: chunk, offset: 0) }
    let elements = self.chunks[chunk]
    return Position(
      chunk: chunk, offset: Self.partition(elements.count) { precedes(elements[$0], element) })
  }

  /// The first index below `count` for which the predicate, which is true up to some index, is
  /// false.
  @inlinable static func partition(_ count: Int, _ predicate: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if predicate(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The element at a position, unless that is the end.
  @inlinable func element(at position: Position) -> Element? {
    guard position.chunk < self.chunks.count else { return nil }
    return self.chunks[position.chunk][position.offset]
  }

  @inlinable func position(after position: Position) -> Position {
    position.offset + 1 < self.chunks[position.chunk].count
      ? Position(chunk: position.chunk, offset: position.offset + 1)
      : Position(chunk: position.chunk + 1, offset: 0)
  }

  /// The index of the element at a position in the whole list. O(n/256).
  @inlinable func index(of position: Position) -> Int {
    self.chunks[..<position.chunk].reduce(position.offset) { $0 + $1.count }
  }

  @inlinable mutating func insert(_ element: Element, at position: Position) {
    guard let last = self.chunks.indices.last else {
      self.chunks = [[element]]
      return
    }
    // At the end, the last chunk grows.
    let chunk = min(position.chunk, last)
    let offset = position.chunk > last ? self.chunks[last].count : position.offset
    self.chunks[chunk].insert(element, at: offset)
    if self.chunks[chunk].count > 2 * Self.chunkSize {
      let second = Array(self.chunks[chunk][Self.chunkSize...])
      self.chunks[chunk].removeSubrange(Self.chunkSize...)
      self.chunks.insert(second, at: chunk + 1)
    }
  }

  @inlinable mutating func remove(at position: Position) {
    self.chunks[position.chunk].remove(at: position.offset)
    if self.chunks[position.chunk].isEmpty {
      self.chunks.remove(at: position.chunk)
      self.mergeSmallChunk(after: position.chunk - 1)
    } else {
      self.mergeSmallChunk(after: position.chunk)
      self.mergeSmallChunk(after: position.chunk - 1)
    }
  }

  /// Merges a chunk and the next one, if both exist and are small enough.
  @inlinable mutating func mergeSmallChunk(after chunk: Int) {
    guard chunk >= 0, chunk + 1 < self.chunks.count,
      self.chunks[chunk].count + self.chunks[chunk + 1].count <= Self.chunkSize
    else { return }
    self.chunks[chunk] += self.chunks.remove(at: chunk + 1)
  }
}

extension SortedList: Sendable where Element: Sendable {}

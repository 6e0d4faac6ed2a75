import TestSupport
import Testing

@testable import ProductSupport

@Suite struct SortedListTests {
  private func check(_ list: SortedList<Int>, _ expected: [Int]) {
    #expect(Array(list.chunks.joined()) == expected)
    #expect(list.chunks.allSatisfy { !$0.isEmpty && $0.count <= 512 })
    #expect(zip(list.chunks, list.chunks.dropFirst()).allSatisfy { $0.count + $1.count > 256 })
  }

  private func remove(_ element: Int, from list: inout SortedList<Int>) {
    list.remove(at: list.position(of: element, <))
  }

  @Test(arguments: [0, 1, 256, 257, 5_000])
  func aListHasTheElementsInOrder(_ count: Int) {
    self.check(SortedList(Array(0..<count)), Array(0..<count))
  }

  /// Also if the removals leave a few elements of each chunk.
  @Test func removalsMergeSmallChunks() {
    var list = SortedList(Array(0..<10_000))
    for element in 0..<10_000 where element % 200 != 0 {
      self.remove(element, from: &list)
    }
    self.check(list, Array(stride(from: 0, to: 10_000, by: 200)))
    for element in stride(from: 0, to: 10_000, by: 200) {
      self.remove(element, from: &list)
    }
    self.check(list, [])
  }

  @Test(arguments: seeds(2))
  func randomChanges(_ seed: Int) {
    var random = SeededGenerator(seed)
    var elements = Array(stride(from: 0, to: 4_000, by: 2))
    var list = SortedList(elements)
    for step in 0..<6_000 {
      // Grows, then shrinks.
      let element = Int.random(in: 0..<4_000, using: &random)
      let index = elements.firstIndex { $0 >= element } ?? elements.count
      let position = list.position(of: element, <)
      #expect(list.index(of: position) == index)
      let exists = index < elements.count && elements[index] == element
      if !exists, step < 3_000 {
        elements.insert(element, at: index)
        list.insert(element, at: position)
      } else if exists, step >= 3_000 || step % 3 == 0 {
        elements.remove(at: index)
        list.remove(at: position)
      }
    }
    self.check(list, elements)
  }
}

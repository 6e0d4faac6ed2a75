import ImmutableData

/// A store whose state is the sum of its actions; a negative action is refused.
func makeSumStore(_ initialState: Int = 0) -> Store<Int, Int> {
  Store(initialState: initialState) { state, action in
    if action < 0 {
      throw Refusal(action: action)
    }
    return state + action
  }
}

/// An error with an identity, to distinguish the same error from an equal one.
final class Refusal: Error {
  let action: Int

  init(action: Int) {
    self.action = action
  }
}

/// Reads `count` elements.
func read<S: AsyncSequence>(_ count: Int, of stream: S) async throws -> [S.Element] {
  var elements: [S.Element] = []
  var iterator = stream.makeAsyncIterator()
  while elements.count < count, let element = try await iterator.next() {
    elements.append(element)
  }
  return elements
}

import ImmutableJSON
import StateEngine
import TestSupport
import Testing

/// Compares a store with a model that reduces its whole history again, for random actions and
/// outcomes.
@Suite struct OptimisticUpdatePropertyTests {
  @Test(arguments: seeds(30))
  func theStateMatchesTheModel(_ seed: Int) throws {
    var random = SeededGenerator(seed)
    var history = History()
    let store = try AnyStore(PenDomain.self, options: ["optimistic": true])
    let deliveries = DeliveryRecorder()
    var shown = [history.state]
    try store.observe("selectText") { deliveries.append($0) }
    let stream = try store.makeStream()

    for _ in 0..<40 {
      let actions = (0..<(random.isOne(in: 4) ? Int.random(in: 0...4, using: &random) : 1)).map {
        _ in
        PenDomain.Action.random(using: &random)
      }
      var next = history
      // The states before each action, and the one after the last.
      var found: [PenDomain.State] = []
      let isRefused = actions.contains { action in
        found.append(next.state)
        return !next.append(action)
      }
      found.append(next.state)
      // A refused outcome ends its change, unless it is part of a batch.
      let isEnding = isRefused && actions.count == 1 && next.hasEnded
      let sent = try actions.map { try $0.json }
      let error = failure { () throws(EngineError) in
        if sent.count == 1, let action = sent.first {
          try store.dispatch(action)
        } else {
          try store.dispatch(batch: .array(JSONArray(sent)))
        }
      }
      #expect((error != nil) == isRefused)
      if !isRefused || isEnding {
        history = next
        shown.append(history.state)
        try self.check(stream, found, sent)
      }
      #expect(try store.state() == Value(encoding: history.state))
    }
    // One delivery for each visible change, and none for the states in between.
    let texts = shown.map { "\"\($0.written.joined(separator: " "))\"" }
    #expect(deliveries.texts == zip(["none"] + texts, texts).filter { $0 != $1 }.map(\.1))
  }

  /// A stream has each action with the states that were shown before and after it.
  private func check(
    _ stream: ActionStream, _ states: [PenDomain.State], _ actions: [Value]
  ) throws {
    for ((oldState, newState), action) in zip(zip(states, states.dropFirst()), actions) {
      guard case .element(let element) = try stream.next(milliseconds: 0) else {
        Issue.record("no element")
        return
      }
      #expect(try element.action == action)
      #expect(try element.oldState == Value(encoding: oldState))
      #expect(try element.newState == Value(encoding: newState))
    }
  }
}

/// The model: the whole history.
private struct History {
  private struct Event {
    let action: PenDomain.Action
    /// The key of the change, while it is in flight.
    var key: String?
  }

  private var events: [Event] = []
  private(set) var state = PenDomain.initialState

  /// Whether the last action ended a change.
  private(set) var hasEnded = false

  /// Adds an action, unless the reducer refuses it. A refused outcome ends its change.
  mutating func append(_ action: PenDomain.Action) -> Bool {
    var next = self
    next.hasEnded = false
    var key: String?
    switch PenDomain.optimisticUpdate(of: action, in: self.state) {
    case .begins(let begun): key = begun
    case .succeeds(let ended):
      if let index = next.events.firstIndex(where: { $0.key == ended }) {
        next.events[index].key = nil
        next.hasEnded = true
      }
    case .fails(let ended):
      if let index = next.events.firstIndex(where: { $0.key == ended }) {
        next.events.remove(at: index)
        next.replay()
        next.hasEnded = true
      }
    case nil: break
    }
    guard let state = Self.state(next.state, action) else {
      self = next
      return false
    }
    next.state = state
    next.events.append(Event(action: action, key: key))
    self = next
    return true
  }

  /// Reduces the history again, without the actions that fail.
  private mutating func replay() {
    var state = PenDomain.initialState
    self.events = self.events.filter { event in
      guard let next = Self.state(state, event.action) else { return false }
      state = next
      return true
    }
    self.state = state
  }

  private static func state(
    _ state: PenDomain.State, _ action: PenDomain.Action
  ) -> PenDomain.State? {
    switch action {
    case .begin: try? PenDomain.anticipate(state, action)
    case .succeed: try? PenDomain.confirm(state, action)
    case .write, .fail: try? PenDomain.reduce(state, action)
    }
  }
}

extension PenDomain.Action {
  /// Few texts and keys, so that they collide.
  fileprivate static func random(using random: inout SeededGenerator) -> Self {
    func text() -> String { ["a", "b", "c", "d", "e", "f"].randomElement(using: &random) ?? "" }
    let mark = PenDomain.Mark(
      text: text(), needs: random.isOne(in: 4) ? text() : nil,
      clashes: random.isOne(in: 8) ? text() : nil)
    let key = ["dog", "cat", "cow"].randomElement(using: &random) ?? ""
    return switch Int.random(in: 0..<6, using: &random) {
    case 0...1: .begin(mark: mark, key: key)
    case 2: .succeed(mark: mark, key: key)
    case 3: .fail(mark: mark, key: key)
    default: .write(mark: mark)
    }
  }
}

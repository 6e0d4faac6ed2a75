import ImmutableJSON
import StateEngine
import Testing

/// Random actions, some of which are in flight for a while, do to a store what they do to a history
/// that is gone through anew each time.
@Suite struct OptimismPropertyTests {
  @Test(arguments: 0..<200)
  func theStateIsThatOfTheHistory(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var history = History()
    let store = try AnyStore(PenDomain.self, options: ["optimistic": true])
    let told = Told()
    var shown = [history.state]
    try store.observe("selectText") { told.append($0) }
    let stream = try store.makeStream()

    for _ in 0..<40 {
      let actions = (0..<(random.chance(4) ? Int.random(in: 0...4, using: &random) : 1)).map { _ in
        PenDomain.Action.random(using: &random)
      }
      var next = history
      var found: [PenDomain.State] = []
      let isRefused = actions.contains { action in
        found.append(next.state)
        return !next.append(action)
      }
      // An outcome ends its change even if it is refused, unless a batch is refused with it.
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
    // One telling for each change that shows, and none of what is in between.
    let texts = shown.map { "\"\($0.written.joined(separator: " "))\"" }
    #expect(told.texts == zip(["none"] + texts, texts).filter { $0 != $1 }.map(\.1))
  }

  /// A stream has each action with the state that was shown before it.
  private func check(
    _ stream: ActionStream, _ states: [PenDomain.State], _ actions: [Value]
  ) throws {
    for (state, action) in zip(states, actions) {
      guard case .element(let element) = try stream.next(milliseconds: 0) else {
        Issue.record("no element")
        return
      }
      #expect(try element.oldState == Value(encoding: state))
      #expect(element.action == action)
    }
  }
}

/// All that happened, from the beginning.
private struct History {
  private struct Event {
    let action: PenDomain.Action
    /// By which it is in flight.
    var key: String?
  }

  private var events: [Event] = []
  private(set) var state = PenDomain.initialState

  /// Whether the last action ended a change.
  private(set) var hasEnded = false

  /// Adds an action, unless it is refused. If it is an outcome, its change has ended in any case.
  mutating func append(_ action: PenDomain.Action) -> Bool {
    var next = self
    next.hasEnded = false
    var key: String?
    switch PenDomain.optimism(of: action, in: self.state) {
    case .begins(let begun): key = begun
    case .succeeds(let ended):
      if let index = next.events.firstIndex(where: { $0.key == ended }) {
        next.events[index].key = nil
        next.hasEnded = true
      }
    case .fails(let ended):
      if let index = next.events.firstIndex(where: { $0.key == ended }) {
        next.events.remove(at: index)
        next.goThrough()
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

  /// Makes the state anew, and leaves out what fails.
  private mutating func goThrough() {
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
  /// Few texts and keys, so that they meet.
  fileprivate static func random(using random: inout SeededGenerator) -> Self {
    func text() -> String { ["a", "b", "c", "d", "e", "f"].randomElement(using: &random) ?? "" }
    let mark = PenDomain.Mark(
      text: text(), needs: random.chance(4) ? text() : nil,
      clashes: random.chance(8) ? text() : nil)
    let key = ["dog", "cat", "cow"].randomElement(using: &random) ?? ""
    return switch Int.random(in: 0..<6, using: &random) {
    case 0...1: .begin(mark: mark, key: key)
    case 2: .succeed(mark: mark, key: key)
    case 3: .fail(mark: mark, key: key)
    default: .write(mark: mark)
    }
  }
}

/// Random numbers that are the same in each run (SplitMix64).
private struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    self.state = seed
  }

  mutating func next() -> UInt64 {
    self.state &+= 0x9E37_79B9_7F4A_7C15
    var bits = self.state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Once in so many times.
  mutating func chance(_ times: Int) -> Bool {
    Int.random(in: 0..<times, using: &self) == 0
  }
}

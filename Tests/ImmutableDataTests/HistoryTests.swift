import ImmutableData
import TestSupport
import Testing

/// What the program sees of the history of a typed store.
@Suite struct HistoryTests {
  /// The state is the sum of the actions; a negative one is refused.
  private func makeStore(_ history: HistoryOptions<Int> = HistoryOptions()) -> Store<Int, Int> {
    Store(initialState: 0, history: history) { state, action in
      if action < 0 { throw Refusal(action: action) }
      return state + action
    }
  }

  /// The state, and how many steps can be undone and redone.
  private func status(_ store: Store<Int, Int>) -> [Int] {
    [store.state, store.history?.undo ?? -1, store.history?.redo ?? -1]
  }

  // MARK: Jumping

  @Test func stepsAreUndoneAndRedone() throws {
    let store = self.makeStore()
    #expect(try store.undo() == 0)
    for action in [1, 2, 3] { try store.dispatch(action: action) }
    #expect(self.status(store) == [6, 3, 0])
    #expect(try store.undo() == 1)
    #expect(self.status(store) == [3, 2, 1])
    #expect(try store.undo(5) == 2)
    #expect(self.status(store) == [0, 0, 3])
    #expect(try store.redo(2) == 2)
    #expect(self.status(store) == [3, 2, 1])
    #expect(try store.redo(2) == 1)
    #expect(try store.redo() == 0)
    #expect(self.status(store) == [6, 3, 0])
    for count in [0, -1, .min] {
      #expect(try store.undo(count) == 0)
      #expect(try store.redo(count) == 0)
    }
    #expect(self.status(store) == [6, 3, 0])
  }

  @Test func travelGoesToASteps() throws {
    let store = self.makeStore()
    for action in [1, 2, 3] { try store.dispatch(action: action) }
    try store.travel(to: 2)
    #expect(self.status(store) == [3, 2, 1])
    try store.travel(to: 0)
    #expect(self.status(store) == [0, 0, 3])
    // The jumps are commits 4 and 5, but no steps.
    for number in [4, -1, .max] {
      #expect(throws: JumpRefusal.unknownStep(number, oldest: 0, newest: 3)) {
        try store.travel(to: number)
      }
    }
    try store.travel(to: 3)
    #expect(self.status(store) == [6, 3, 0])
  }

  @Test func aStepDropsWhatWasUndone() throws {
    let store = self.makeStore()
    for action in [1, 2, 3] { try store.dispatch(action: action) }
    try store.undo(2)
    try store.dispatch(action: 10)
    #expect(self.status(store) == [11, 2, 0])
    try store.undo()
    #expect(store.state == 1)
  }

  @Test func aFailedActionChangesNothing() throws {
    let store = self.makeStore()
    try store.dispatch(action: 1)
    try store.undo()
    #expect(throws: Refusal.self) { try store.dispatch(action: -1) }
    #expect(throws: BatchError.self) { try store.dispatch(batch: [2, -1]) }
    #expect(self.status(store) == [0, 0, 1])
  }

  @Test func withoutAHistory() throws {
    let store = makeSumStore()
    try store.dispatch(action: 1)
    #expect(store.history == nil)
    for operation: (Store<Int, Int>) throws -> Void in [
      { try $0.undo() }, { try $0.redo() }, { try $0.travel(to: 0) }, { try $0.group {} },
      { try $0.markClean() },
    ] {
      let error = #expect(throws: NoHistory.self) { try operation(store) }
      #expect(
        error?.description == "the store has no history; create it with the parameter `history`")
    }
    #expect(store.state == 1)
  }

  @Test func messages() {
    #expect(
      JumpRefusal.unknownStep(9, oldest: 0, newest: 3).description
        == "there is no step 9; the history has steps from 0 to 3")
    #expect(
      JumpRefusal.refused(2, "a server has it; dispatch its reverse").description
        == "step 2 cannot be undone or redone: a server has it; dispatch its reverse")
  }

  // MARK: Steps

  @Test(arguments: [(2, 2, 4), (1, 1, 6), (0, 1, 6), (-1, 1, 6), (3, 3, 1)])
  func theOldestStepsAreDropped(_ limit: Int, _ undone: Int, _ state: Int) throws {
    let store = self.makeStore(HistoryOptions(limit: limit))
    for action in [1, 3, 2, 4] { try store.dispatch(action: action) }
    #expect(try store.undo(9) == undone)
    #expect(store.state == state)
  }

  @Test func anActionThatIsNoStepKeepsWhatWasUndone() throws {
    let store = self.makeStore(HistoryOptions { $0 < 10 })
    for action in [1, 20, 2] { try store.dispatch(action: action) }
    try store.undo()
    #expect(self.status(store) == [21, 1, 1])
    try store.dispatch(action: 40)
    #expect(self.status(store) == [61, 1, 1])
    try store.redo()
    #expect(self.status(store) == [23, 2, 0])
    try store.undo(2)
    #expect(self.status(store) == [0, 0, 2])
  }

  @Test func neighboursAreJoined() throws {
    let store = self.makeStore(HistoryOptions(joins: { $0 == $1 }))
    for action in [1, 1, 1, 2] { try store.dispatch(action: action) }
    #expect(self.status(store) == [5, 2, 0])
    try store.undo()
    #expect(self.status(store) == [3, 1, 1])
    // Nothing joins a step after a jump.
    try store.dispatch(action: 1)
    #expect(self.status(store) == [4, 2, 0])
    try store.undo(2)
    #expect(store.state == 0)
  }

  /// An undo returns to what was saved.
  @Test func nothingJoinsAStepThatIsClean() throws {
    let store = self.makeStore(HistoryOptions(joins: { _, _ in true }))
    try store.dispatch(action: 1)
    try store.markClean()
    for _ in 0..<2 { try store.dispatch(action: 1) }
    try store.undo()
    #expect(self.status(store) == [1, 1, 1])
    #expect(store.history?.isClean == true)
  }

  @Test func aBatchIsOneStep() throws {
    let store = self.makeStore()
    try store.dispatch(batch: [1, 2, 3])
    try store.dispatch(batch: [])
    #expect(self.status(store) == [6, 1, 0])
    try store.undo()
    #expect(store.state == 0)
  }

  // MARK: Changes

  @Test func anActionThatChangesNothingIsNoStep() throws {
    let store = self.makeStore()
    for action in [1, 0] { try store.dispatch(action: action) }
    #expect(self.status(store) == [1, 1, 0])
    try store.undo()
    try store.dispatch(action: 0)
    try store.dispatch(batch: [0, 0])
    #expect(self.status(store) == [0, 0, 1])
  }

  @Test func everyActionIsAStepIfStatesAreNotEquatable() throws {
    struct State: Sendable { var value = 0 }
    let store = Store<State, Int>(initialState: State(), history: HistoryOptions()) { state, _ in
      state
    }
    try store.dispatch(action: 0)
    #expect(store.history?.undo == 1)
  }

  // MARK: Groups

  @Test func aGroupIsOneStep() throws {
    let store = self.makeStore()
    try store.dispatch(action: 1)
    let result = try store.group {
      try store.dispatch(action: 2)
      try store.group { try store.dispatch(batch: [3, 4]) }
      try store.dispatch(action: 5)
      return "done"
    }
    #expect(result == "done")
    try store.dispatch(action: 6)
    #expect(self.status(store) == [21, 3, 0])
    try store.undo(2)
    #expect(self.status(store) == [1, 1, 2])
    try store.group {}
    #expect(self.status(store) == [1, 1, 2])
  }

  @Test func anErrorEndsItsGroup() throws {
    let store = self.makeStore()
    #expect(throws: Refusal.self) {
      try store.group {
        try store.dispatch(action: 1)
        try store.dispatch(action: -1)
      }
    }
    try store.dispatch(action: 2)
    #expect(self.status(store) == [3, 2, 0])
  }

  @Test func anErrorCanGiveUpItsGroup() throws {
    let store = self.makeStore()
    try store.dispatch(action: 1)
    try store.undo()
    #expect(throws: Refusal.self) {
      try store.group(cancelsOnError: true) {
        try store.dispatch(action: 1)
        try store.dispatch(action: -1)
      }
    }
    #expect(self.status(store) == [0, 0, 1])
    try store.group(cancelsOnError: true) { try store.dispatch(action: 2) }
    #expect(self.status(store) == [2, 1, 0])
  }

  @Test func anUndoEndsAllGroups() throws {
    let store = self.makeStore()
    try store.dispatch(action: 1)
    try store.group {
      try store.group {
        try store.dispatch(action: 2)
        try store.dispatch(action: 3)
        try store.undo()
        #expect(self.status(store) == [1, 1, 1])
      }
      try store.dispatch(action: 4)
      try store.dispatch(action: 5)
    }
    #expect(self.status(store) == [10, 3, 0])
  }

  // MARK: Saving

  @Test func whatWasSavedIsClean() throws {
    let store = self.makeStore()
    func isClean(after operation: (Store<Int, Int>) throws -> Void) throws -> Bool? {
      try operation(store)
      return store.history?.isClean
    }
    #expect(store.history?.isClean == true)
    #expect(try isClean { try $0.dispatch(action: 1) } == false)
    #expect(try isClean { try $0.markClean() } == true)
    #expect(try isClean { try $0.undo() } == false)
    #expect(try isClean { try $0.redo() } == true)
    #expect(try isClean { try $0.dispatch(action: 0) } == true)
    #expect(try isClean { try $0.dispatch(action: 2) } == false)
    #expect(try isClean { try $0.travel(to: 1) } == true)
    // What was saved is dropped.
    try store.undo()
    #expect(try isClean { try $0.dispatch(action: 3) } == false)
    #expect(try isClean { try $0.undo(9) } == false)
    #expect(try isClean { try $0.markClean() } == true)
  }

  // MARK: Readers

  @Test func aSubscriberGetsJumps() throws {
    let store = self.makeStore()
    let log = Recorder<Commit<Int, Int>>()
    let subscription = store.subscribe { log.append($0) }
    for action in [1, 2] { try store.dispatch(action: action) }
    try store.undo()
    try store.undo()
    try store.undo()
    try store.redo()
    try store.travel(to: 2)
    #expect(log.all.map(\.number) == [1, 2, 3, 4, 5, 6])
    #expect(log.all.map(\.action) == [1, 2, nil, nil, nil, nil])
    #expect(log.all.map(\.oldState) == [0, 1, 3, 1, 0, 1])
    #expect(log.all.map(\.newState) == [1, 3, 1, 0, 1, 3])
    #expect(log.all.map(\.isLast).allSatisfy { $0 })
    let jumps = log.all.compactMap(\.jump)
    #expect(jumps.map(\.kind) == [.undone, .undone, .redone, .traveled])
    #expect(jumps.map(\.number) == [1, 0, 1, 2])
    withExtendedLifetime(subscription) {}
  }

  @Test func aSubscriberMayUndo() throws {
    let store = self.makeStore()
    let log = Recorder<Int>()
    let subscription = store.subscribe { commit in
      log.append(commit.newState)
      if commit.action == 2 {
        #expect(throws: Never.self) { try store.undo() }
        log.append(store.state)
      }
    }
    for action in [1, 2] { try store.dispatch(action: action) }
    #expect(log.all == [1, 3, 1, 1])
    withExtendedLifetime(subscription) {}
  }

  @Test func typedStreamsCarryNoJumps() async throws {
    let store = self.makeStore()
    let (stream, bounded) = (store.makeStream(), store.makeStream(capacity: 2))
    let reader = store.makeReader(capacity: 2)
    try store.dispatch(action: 1)
    try store.undo()
    try store.redo()
    try store.travel(to: 0)
    try store.dispatch(action: 2)
    let actions = try await read(2, of: stream)
    #expect(actions.map(\.oldState) == [0, 0])
    #expect(actions.map(\.action) == [1, 2])
    #expect(try await read(2, of: bounded).map(\.action) == [1, 2])
    for expected in [1, 5] {
      guard case .element(let commit) = reader.next(milliseconds: 0) else {
        Issue.record("the reader has no commit \(expected)")
        return
      }
      #expect(commit.number == expected)
    }
  }

  @Test func threadsUndoAndDispatch() throws {
    let store = self.makeStore(HistoryOptions(limit: 50))
    let states = Recorder<(Int, Int)>()
    let subscription = store.subscribe { states.append(($0.oldState, $0.newState)) }
    onThreads(4) { thread in
      for count in 0..<200 {
        switch (thread + count) % 4 {
        case 0: _ = try? store.undo(2)
        case 1: _ = try? store.redo()
        default: try? store.dispatch(action: 1)
        }
      }
    }
    // Each commit begins where the one before ended.
    #expect(zip(states.all, states.all.dropFirst()).allSatisfy { $0.1 == $1.0 })
    #expect(states.all.last?.1 == store.state)
    withExtendedLifetime(subscription) {}
  }
}

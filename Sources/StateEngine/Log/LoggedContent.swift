import ImmutableData
import ImmutableJSON
import StateLog

/// The content of a store as JSON, which the base of a log and its snapshots have.
///
/// ```
/// {"options":{"history":{…}},"state":…,"history":{"first":[…],"steps":[…],…}}
/// ```
///
/// `first` is the JSON Patch that turns the state into the one before the first step. From there,
/// each commit of each step has the patches that turn the state before it into the one after it.
/// `open` is the step that actions may join, and `savepoints` are the states before the open
/// groups.
struct LoggedContent<Model: StateModel> {
  typealias Content = Store<Model.State, Model.Action>.Content

  let model: Model
  let store: Store<Model.State, Model.Action>
}

extension LoggedContent {
  /// - Parameters:
  ///   - options: The options that a replay of later entries depends on.
  ///   - writers: The largest number of a writer; 0 in a log that is not shared.
  func encode(_ content: Content, options: Value, writers: Int = 0) throws -> Value {
    let state = try Model.snapshot(of: content.state, nil).value()
    var members: [(String, Value)] = [("options", options), ("state", state)]
    if let history = content.history {
      members.append(("history", try self.encode(history, state)))
    }
    if writers > 0 { members.append(("writers", .integer(Int64(writers)))) }
    return .object(JSONObject(members))
  }

  /// The SHA-256 of the JSON text of a state, in hexadecimal.
  func hash(of state: Model.State) throws -> String {
    try Model.snapshot(of: state, nil).value().withJSON { LogHash().after($0).digits }
  }

  private func encode(_ history: HistoryContent, _ state: Value) throws -> Value {
    var chain = PatchChain(state)
    var members: [(String, Value)] = [
      ("present", .integer(Int64(history.present))), ("base", .integer(Int64(history.base))),
      ("basePosition", .integer(Int64(history.basePosition))),
      ("marks", history.marks.logged),
    ]
    if let first = (history.steps.first ?? history.open)?.first {
      members.append(
        ("first", try chain.patch(to: ModelEncoding<Model>.oldState(of: first).value())))
    }
    members.append(
      ("steps", .array(JSONArray(try history.steps.map { try self.encode($0, &chain) }))))
    if let open = history.open { members.append(("open", try self.encode(open, &chain))) }
    if !history.savepoints.isEmpty {
      members.append(("savepoints", try self.encode(history.savepoints, &chain)))
    }
    if let writers = history.writers {
      members.append(("openWriter", .integer(Int64(history.openWriter))))
      members.append(("writers", try self.encode(writers, &chain)))
    }
    return .object(JSONObject(members))
  }

  private func encode(_ savepoints: [Savepoint], _ chain: inout PatchChain) throws -> Value {
    var elements: [Value] = []
    for savepoint in savepoints {
      let state = ModelEncoding<Model>.oldState(of: savepoint.commit)
      elements.append([
        "level": .integer(Int64(savepoint.level)),
        "number": .integer(Int64(savepoint.commit.number)),
        "change": try chain.patch(to: state.value()),
      ])
    }
    return .array(JSONArray(elements))
  }

  private func encode(_ writers: WriterMarks, _ chain: inout PatchChain) throws -> Value {
    var others: [Value] = []
    for (writer, marks) in writers.others.sorted(by: { $0.key < $1.key }) {
      others.append([
        "writer": .integer(Int64(writer)), "marks": marks.marks.logged,
        "savepoints": try self.encode(marks.savepoints, &chain),
      ])
    }
    return [
      "current": .integer(Int64(writers.current)), "others": .array(JSONArray(others)),
      "commits": writers.commits.logged, "strays": writers.strays.logged,
    ]
  }

  private func encode(_ step: HistoryStep, _ chain: inout PatchChain) throws -> Value {
    .object([
      "batch": .bool(step.isBatch), "refusal": step.refusal.map(Value.string) ?? .null,
      "bytes": .integer(Int64(step.bytes)),
      "commits": .array(JSONArray(try step.commits.map { try self.encode($0, &chain) })),
    ])
  }

  private func encode(_ commit: AnyCommit, _ chain: inout PatchChain) throws -> Value {
    typealias Typed = ModelEncoding<Model>
    var members: [(String, Value)] = [
      ("number", .integer(Int64(commit.number))), ("last", .bool(commit.isLast)),
      ("time", .integer(commit.time ?? 0)), ("action", try Typed.action(of: commit)),
    ]
    if commit.writer > 0 { members.append(("writer", .integer(Int64(commit.writer)))) }
    let before = try chain.patch(to: Typed.oldState(of: commit).value())
    let change = try chain.patch(to: Typed.newState(of: commit).value())
    if before != [] { members.append(("before", before)) }
    if change != [] { members.append(("change", change)) }
    return .object(JSONObject(members))
  }
}

// MARK: Decoding

extension LoggedContent {
  /// - Throws: ``EngineError``; the error of a patch.
  func decode(_ snapshot: Value, number: Int) throws -> Content {
    let state = snapshot["state"] ?? .null
    return Content(
      state: try self.typedState(state), number: number,
      history: try snapshot["history"].map { try self.history($0, state) })
  }

  private func typedState(_ state: Value) throws -> Model.State {
    let defaults = (self.store.commits.log as? JSONCommitLog)?.defaults ?? .none
    do {
      return try Model.state(defaults.completing(state))
    } catch let error as DecodingError {
      throw self.undecodable(error)
    }
  }

  /// The type of the state has changed since the log was written.
  private func undecodable(_ error: DecodingError) -> EngineError {
    let path = (self.store.commits.log as? JSONCommitLog)?.storage.path ?? ""
    let remedy =
      if case .keyNotFound = error {
        "add it to the \"defaults\" of the option \"log\" as "
          + quoted("\(JSONPointer(error.path))") + ", or migrate the log"
      } else {
        "migrate the log"
      }
    return EngineError(
      .invalidArgument,
      "the log \(quoted(path)) has another state than the store: "
        + "\(error.reason(in: "state", after: 0)); \(remedy)")
  }

  private func history(_ json: Value, _ state: Value) throws -> HistoryContent {
    var history = HistoryContent()
    history.present = try json.count("present")
    history.base = try json.count("base")
    history.basePosition = try json.count("basePosition")
    history.marks = try HistoryMarks(logged: json["marks"] ?? [:])
    var chain = StateChain(state, of: json, self.typedState)
    try chain.apply(json["first"])
    for json in json["steps"]?.elements ?? [] {
      if let step = try self.step(json, &chain) { history.steps.append(step) }
    }
    history.open = try json["open"].flatMap { try self.step($0, &chain) }
    history.savepoints = try self.savepoints(json["savepoints"], &chain)
    history.openWriter = try json.count("openWriter")
    history.writers = try json["writers"].map { try self.writers($0, &chain) }
    return history
  }

  private func savepoints(
    _ json: Value?, _ chain: inout StateChain<Model.State>
  ) throws -> [Savepoint] {
    var savepoints: [Savepoint] = []
    for json in json?.elements ?? [] {
      try chain.apply(json["change"])
      savepoints.append(
        Savepoint(
          level: try json.count("level"),
          commit: self.store.savepoint(
            number: try json.count("number"), state: try chain.converted)))
    }
    return savepoints
  }

  private func writers(
    _ json: Value, _ chain: inout StateChain<Model.State>
  ) throws -> WriterMarks {
    let writers = WriterMarks()
    writers.current = try json.count("current")
    writers.commits = try NewestCommits(logged: json["commits"] ?? [:])
    writers.strays = try NewestCommits(logged: json["strays"] ?? [:])
    for json in json["others"]?.elements ?? [] {
      writers.others[try json.count("writer")] = WriterMarks.Marks(
        try HistoryMarks(logged: json["marks"] ?? [:]),
        try self.savepoints(json["savepoints"], &chain))
    }
    return writers
  }

  private func step(_ json: Value, _ chain: inout StateChain<Model.State>) throws -> HistoryStep? {
    let commits = try (json["commits"]?.elements ?? []).map { try self.commit($0, &chain) }
    guard let first = commits.first else { return nil }
    var step = HistoryStep(
      first, Array(commits.dropFirst()), isBatch: json["batch"]?.bool,
      refusal: json["refusal"]?.string)
    step.bytes = try json.count("bytes")
    return step
  }

  private func commit(_ json: Value, _ chain: inout StateChain<Model.State>) throws -> AnyCommit {
    try chain.apply(json["before"])
    let old = try chain.converted
    try chain.apply(json["change"])
    return self.store.restoredCommit(
      number: try json.count("number"), isLast: json["last"]?.bool == true,
      time: json["time"]?.integer ?? 0, writer: try json.count("writer"),
      action: try self.model.decode(logged: json["action"] ?? .null), oldState: old,
      newState: try chain.converted)
  }
}

/// States, each as the changes since the one before.
struct PatchChain {
  private var state: Value

  init(_ state: Value) {
    self.state = state
  }

  mutating func patch(to next: Value) throws -> Value {
    guard !self.state.isIdentical(to: next) else { return [] }
    var budget = WorkBudget(.max)
    let patch = try self.state.diff(to: next, &budget)
    self.state = next
    return patch
  }
}

/// States that patches make from one another, each converted.
struct StateChain<Converted> {
  private var state: Value
  private let convert: (Value) throws -> Converted
  /// For all patches together.
  private var budget: WorkBudget
  /// The state that was converted last, and the result. Without a change, it is the same one.
  private var last: (state: Value, converted: Converted)?

  /// - Parameter history: Has the patches.
  init(
    _ state: Value, of history: Value, _ convert: @escaping (Value) throws -> Converted
  ) {
    self.state = state
    self.convert = convert
    // An operation takes no more units than its text has bytes.
    let (units, overflow) = ValueLimits.work.addingReportingOverflow(history.textSizeBound)
    self.budget = WorkBudget(overflow ? .max : units)
  }

  mutating func apply(_ patch: Value?) throws {
    guard let patch, patch != [] else { return }
    do throws(JSONPatchError) {
      self.state = try self.state.applying(patch: patch, &self.budget)
    } catch {
      let remedy = error.code == .limit ? "; raise the limits of work and text" : ""
      throw EngineError(
        error.code == .limit ? .limit : .corrupt,
        "the history of the log cannot be restored: \(error.message)\(remedy)")
    }
  }

  var converted: Converted {
    mutating get throws {
      if let last, last.state.isIdentical(to: self.state) { return last.converted }
      let converted = try self.convert(self.state)
      self.last = (self.state, converted)
      return converted
    }
  }
}

extension Value {
  /// A member that counts something, 0 without it.
  ///
  /// - Throws: ``EngineError`` for one that no log has: negative, or with more than 18 digits.
  func count(_ name: String) throws(EngineError) -> Int {
    let count = self[name]?.integer ?? 0
    guard (0..<1_000_000_000_000_000_000).contains(count) else {
      throw EngineError(
        .corrupt, "the member \(quoted(name)) of the history of the log is \(count)")
    }
    return Int(count)
  }

  /// The numbers of writers of a shared log that a member has.
  func writers(_ name: String) -> Set<Int> {
    Set((self[name]?.elements ?? []).compactMap(\.integer).map(Int.init))
  }

  var firstElement: Value? {
    self.elements.first
  }

  fileprivate var elements: JSONArray {
    if case .array(let elements) = self { elements } else { [] }
  }
}

extension NewestCommits {
  fileprivate var logged: Value {
    [
      "newest": .integer(Int64(self.newest.number)), "by": .integer(Int64(self.newest.writer)),
      "other": .integer(Int64(self.other.number)), "otherBy": .integer(Int64(self.other.writer)),
    ]
  }

  fileprivate init(logged: Value) throws(EngineError) {
    self.init()
    (self.newest.number, self.newest.writer) = (try logged.count("newest"), try logged.count("by"))
    (self.other.number, self.other.writer) =
      (try logged.count("other"), try logged.count("otherBy"))
  }
}

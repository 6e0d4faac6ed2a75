import ImmutableJSON
import ProductSupport
import Testing
import Threading

@testable import AnimalsData
@testable import StateEngine

/// Collects elements from any thread, and waits for them.
private final class Inbox<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])
  private let arrival = Condition()

  func append(_ element: Element) {
    self.elements.withLock { $0.append(element) }
    self.arrival.broadcast()
  }

  var all: [Element] {
    self.elements.withLock { $0 }
  }

  /// Waits for a number of elements, and returns the last of them.
  func wait(for count: Int) throws -> Element {
    let deadline = Deadline(milliseconds: 120_000)
    let all = self.elements.withLock(after: self.arrival, orAt: deadline) {
      $0.count >= count
    } do: {
      $0
    }
    return try #require(all.count >= count ? all[count - 1] : nil, "\(all)")
  }

  func wait(until condition: (Element) -> Bool) throws {
    let deadline = Deadline(milliseconds: 120_000)
    let isFound = self.elements.withLock(after: self.arrival, orAt: deadline) {
      $0.contains(where: condition)
    } do: {
      $0.contains(where: condition)
    }
    try #require(isFound, "\(self.all)")
  }
}

/// A store of animals, and a stand-in for its server.
private final class Session: Sendable {
  let store: AnyStore
  let streams = Inbox<FetchTask>()
  let posts = Inbox<FetchTask>()
  /// The observed statuses of the connection.
  let connections = Inbox<String>()
  /// The server's animal, or why it is unreachable; `nil` if it does not answer.
  let animal = Mutex<Result<String, ProgramTaskError>?>(.success(dog))

  init(_ options: Value = [:]) throws {
    guard case .object(var members) = options else { throw ProgramTaskError.closed }
    members["remote"] = "http://host:1"
    self.store = try AnyStore(AnimalsDomain.self, options: .object(members))
    let connections = self.connections
    try self.store.observe("selectConnection", [:], ObservationOptions([:])) { delivery in
      guard case .value(let value) = delivery.content else { return }
      connections.append(value.withoutTime)
    }
  }

  func setFetch() throws {
    try self.store.setFetch { [self] in self.answer($0) }
  }

  func answer(_ call: FetchTask) {
    if call.request.isStreamed { return self.streams.append(call) }
    self.posts.append(call)
    switch self.animal.withLock({ $0 }) {
    case .success(let animal):
      let answers = [
        "animals": #"{"animals":{"animals":[\#(animal)]}}"#,
        "categories": #"{"categories":{"categories":[\#(mammal)]}}"#,
      ]
      let asked = try? Value(json: String(decoding: call.request.body, as: UTF8.self))
      guard case .array(let queries)? = asked?["query"] else { return }
      let texts = queries.compactMap { query in
        answers.first { query[$0.key] != nil }?.value
      }
      try? call.resolve(
        status: 200, headers: [FetchHeader("Content-Type", "application/json")],
        Array(#"{"query":[\#(texts.joined(separator: ","))]}"#.utf8))
    case .failure(let error): try? call.reject("\(error)")
    case nil: break
    }
  }

  /// Begins the response of a stream, by default with a reset.
  func open(
    _ number: Int, _ text: String = "id: 1\nevent: reset\ndata: {}\n\n", heartbeat: String? = nil
  ) throws -> FetchTask {
    let stream = try self.streams.wait(for: number)
    var headers = [FetchHeader("Content-Type", "text/event-stream")]
    if let heartbeat { headers.append(FetchHeader("animals-heartbeat", heartbeat)) }
    try stream.receive(status: 200, headers: headers, Array(text.utf8))
    return stream
  }

  func send(_ text: String, to stream: FetchTask) throws {
    try stream.receive(status: 200, headers: [], Array(text.utf8))
  }

  func fetchAnimals() throws {
    try self.store.dispatch(["type": "ui/animalList/onAppear"])
  }

  var name: Value {
    get throws { try self.store.select("selectAnimal", ["animalId": "Dog"])["name"] ?? .null }
  }
}

extension Value {
  /// The JSON without the time of a lost connection.
  fileprivate var withoutTime: String {
    guard case .object(let members) = self,
      let (kind, content) = members.first(where: { _ in true }).map({ ($0.key, $0.value) }),
      let error = content["error"]
    else { return self.json }
    return "\(kind): \(error.json)"
  }
}

private func named(_ name: String) -> String {
  #"{"animalId":"Dog","categoryId":"Mammal","diet":"Carnivore","name":"\#(name)"}"#
}

@Suite struct ChangeFollowerTests {
  private static let reset = "event: reset\ndata: {}\n\n"
  private static let following = #"{"following":{}}"#

  @Test func requestsInFlightAreCounted() throws {
    let session = try Session()
    session.animal.withLock { $0 = nil }
    #expect(try session.store.statistics()["requestsInFlight"] == 0)
    try session.setFetch()
    _ = try session.streams.wait(for: 1)
    try session.fetchAnimals()
    let post = try session.posts.wait(for: 1)
    #expect(try session.store.statistics()["requestsInFlight"] == 2)
    try post.reject("no network")
    #expect(try session.store.statistics()["requestsInFlight"] == 1)
    session.store.close()
  }

  /// It connects through the program's current function only.
  @Test func itConnectsThroughTheHostFunction() throws {
    let session = try Session()
    try session.store.settle()
    #expect(session.connections.all == ["null"])
    try session.setFetch()
    let first = try session.open(1)
    try session.connections.wait { $0 == Self.following }
    #expect(first.request.headers.contains { $0.name == "Last-Event-ID" } == false)

    try session.setFetch()
    let second = try session.streams.wait(for: 2)
    #expect(second.request.headers.contains(FetchHeader("Last-Event-ID", "1")))
    #expect(throws: FetchTask.ended) { try session.send(Self.reset, to: first) }

    try session.store.removeFetch()
    _ = try session.connections.wait(for: 5)
    #expect(throws: FetchTask.ended) { try session.send(Self.reset, to: second) }
    try session.setFetch()
    _ = try session.open(
      3, "id: 2\nevent: change\ndata: {\"deleteAnimal\":{\"animal\":\(dog)}}\n\n")
    _ = try session.connections.wait(for: 7)
    #expect(
      session.connections.all == [
        "null", #"{"connecting":{}}"#, Self.following, #"{"connecting":{}}"#, "null",
        #"{"connecting":{}}"#, Self.following,
      ])
    session.store.close()
  }

  @Test func everyResetFetchesEverything() throws {
    let session = try Session()
    try session.setFetch()
    try session.fetchAnimals()
    let stream = try session.open(1)
    for number in 2...4 {
      session.animal.withLock { $0 = .success(named("v\(number)")) }
      try session.send("id: \(number)\n\(Self.reset)", to: stream)
      try session.store.settle()
      #expect(try session.name == .string("v\(number)"))
    }
    session.store.close()
  }

  /// A gap in the change numbers means a lost change, so everything is fetched. Repeated changes
  /// are ignored.
  @Test func aMissingChangeFetchesEverything() throws {
    func change(_ number: Int, _ name: String) -> String {
      "id: \(number)\nevent: change\ndata: {\"updateAnimal\":{\"animal\":\(named(name))}}\n\n"
    }
    let session = try Session()
    try session.setFetch()
    try session.fetchAnimals()
    let stream = try session.open(1)
    for (text, name) in [
      (change(2, "second"), "second"), (change(2, "again"), "second"), (change(1, "old"), "second"),
      (change(4, "fourth"), "fetched"), (change(5, "fifth"), "fifth"),
    ] {
      session.animal.withLock { $0 = .success(named("fetched")) }
      try session.send(text, to: stream)
      try session.store.settle()
      #expect(try session.name == .string(name))
    }
    session.store.close()
  }

  @Test func severalPendingResetsFetchOnce() throws {
    let session = try Session()
    try session.setFetch()
    try session.fetchAnimals()
    let stream = try session.open(1)
    try session.connections.wait { $0 == Self.following }
    let before = session.posts.all.count
    session.animal.withLock { $0 = .success(named("last")) }
    let resets = (2...100).map { "id: \($0)\n\(Self.reset)" }
    try session.send(resets.joined(), to: stream)
    try session.store.settle()
    #expect(try session.name == "last")
    #expect(session.posts.all.count == before + 1)
    session.store.close()
  }

  /// Even if the server sends the token back, whole or at the truncated end, it is not shown.
  @Test(arguments: [
    "bad secret-token", String(repeating: "x", count: 995) + "secret-token",
    "x" + String(repeating: "secret-token", count: 100),
  ])
  func theTokenIsNotShown(_ reason: String) throws {
    let session = try Session(["token": "secret-token"])
    session.animal.withLock { $0 = .failure(.rejected(reason)) }
    try session.setFetch()
    try session.streams.wait(for: 1).reject(reason)
    try session.fetchAnimals()
    try session.store.settle()
    _ = try session.streams.wait(for: 2)
    let shown = try session.store.state().json
    #expect(shown.contains("no response from"))
    #expect(!shown.contains("secre"))
    session.store.close()
  }

  /// After a failed refetch a new connection begins with a reset.
  @Test func aFailedRefetchReconnects() throws {
    let session = try Session()
    let failures = Inbox<EngineError>()
    try session.store.setEffectErrorHandler { failures.append($0) }
    try session.setFetch()
    try session.fetchAnimals()
    let stream = try session.open(1)
    try session.connections.wait { $0 == Self.following }
    session.animal.withLock { $0 = .failure(.rejected("no route")) }
    // A change after the reset does not hide the failure.
    let change = "id: 3\nevent: change\ndata: {\"updateAnimal\":{\"animal\":\(named("late"))}}\n\n"
    try session.send("id: 2\n\(Self.reset)\(change)", to: stream)
    try session.connections.wait { $0 == #"lost: "no response from http://host:1: no route""# }
    #expect(throws: FetchTask.ended) { try session.send(Self.reset, to: stream) }
    let failure = try failures.wait(for: 1)
    #expect(failure.code == .io)
    #expect(failure.message.contains("no response from http://host:1: no route"))

    session.animal.withLock { $0 = .success(named("new")) }
    let next = try session.streams.wait(for: 2)
    #expect(!next.request.headers.contains { $0.name == "Last-Event-ID" })
    let seen = session.connections.all.count
    _ = try session.open(2)
    _ = try session.connections.wait(for: seen + 1)
    #expect(try session.name == "new")
    #expect(session.connections.all.last == Self.following)
    session.store.close()
  }

  @Test func anEventThatIsTooLongEndsTheConnection() throws {
    let session = try Session()
    try session.setFetch()
    let stream = try session.open(1)
    try session.connections.wait { $0 == Self.following }
    let limit = ServerSentEventParser.limit
    try session.send("data: \(String(repeating: "x", count: limit))", to: stream)
    try session.connections.wait {
      $0 == "lost: \"http://host:1 sent an event longer than \(limit) bytes\""
    }
    session.store.close()
  }

  private func change(_ number: Int) -> String {
    "id: \(number)\nevent: change\ndata: {\"updateAnimal\":{\"animal\":\(named("v\(number)"))}}\n\n"
  }

  /// Events that cannot wait are dropped, and everything is fetched again.
  @Test func aBacklogThatIsFullReconnects() throws {
    let session = try Session()
    try session.setFetch()
    let stream = try session.open(1)
    try session.connections.wait { $0 == Self.following }
    // An effect waits for an answer.
    session.animal.withLock { $0 = nil }
    try session.fetchAnimals()
    let post = try session.posts.wait(for: 1)
    let limit = EventBacklog.countLimit
    try session.send((2..<2 + limit).map(self.change).joined(), to: stream)
    #expect(try session.store.statistics()["droppedEvents"] == 0)
    try session.send(self.change(2 + limit), to: stream)
    #expect(
      try session.store.statistics()["droppedEvents"] == .integer(Int64(limit + 1)))
    try session.connections.wait {
      $0
        == #"lost: "http://host:1 sent changes faster than they were applied; everything is "#
        + #"fetched again""#
    }
    let next = try session.streams.wait(for: 2)
    #expect(!next.request.headers.contains { $0.name == "Last-Event-ID" })
    session.animal.withLock { $0 = .success(named("fetched")) }
    session.answer(post)
    let seen = session.connections.all.count
    _ = try session.open(2)
    _ = try session.connections.wait(for: seen + 1)
    #expect(session.connections.all.last == Self.following)
    #expect(try session.name == "fetched")
    session.store.close()
  }

  /// What waits is dropped with its connection, also while an effect waits for an answer.
  @Test func eventsOfALostConnectionAreDropped() throws {
    let session = try Session()
    try session.setFetch()
    let stream = try session.open(1)
    try session.connections.wait { $0 == Self.following }
    session.animal.withLock { $0 = nil }
    try session.fetchAnimals()
    let post = try session.posts.wait(for: 1)
    try session.send(self.change(2), to: stream)
    try stream.reject("connection reset")
    let next = try session.streams.wait(for: 2)
    #expect(next.request.headers.contains(FetchHeader("Last-Event-ID", "1")))
    session.animal.withLock { $0 = .success(named("fetched")) }
    session.answer(post)
    try session.store.settle()
    #expect(try session.name == "fetched")
    #expect(try session.store.statistics()["droppedEvents"] == 0)
    session.store.close()
  }

  /// An event that cannot be read is the server's fault. The next connection begins with a reset.
  @Test(arguments: [
    (
      #"{"addAnimal":{"animal":{"animalId":"7"}}}"#,
      #"event/addAnimal/animal: the member "name" is missing"#
    ),
    (#"{"oops":1}"#, "event: Invalid number of keys found, expected one."),
    ("no JSON", "invalid token near 'no' (line 1, column 2)"),
  ])
  func anEventThatCannotBeRead(_ data: String, _ reason: String) throws {
    let session = try Session()
    let failures = Inbox<EngineError>()
    try session.store.setEffectErrorHandler { failures.append($0) }
    try session.setFetch()
    try session.fetchAnimals()
    let stream = try session.open(1)
    try session.connections.wait { $0 == Self.following }
    try session.send("id: 2\nevent: change\ndata: \(data)\n\n", to: stream)
    let message = "http://host:1 sent an unexpected answer: \(reason)"
    let failure = try failures.wait(for: 1)
    #expect(failure.code == .io)
    #expect(failure.message == "an effect that no action caused: \(message)")
    try session.connections.wait { $0 == "lost: \(Value.string(message).json)" }
    let next = try session.streams.wait(for: 2)
    #expect(!next.request.headers.contains { $0.name == "Last-Event-ID" })
    session.animal.withLock { $0 = .success(named("fetched")) }
    let seen = session.connections.all.count
    _ = try session.open(2)
    _ = try session.connections.wait(for: seen + 1)
    #expect(try session.name == "fetched")
    session.store.close()
  }

  @Test func aLostConnectionIsReportedAndRetried() throws {
    let session = try Session()
    try session.setFetch()
    let stream = try session.open(1)
    try session.connections.wait { $0 == Self.following }
    #expect(try session.store.select("selectConnectionLostSince") == .null)
    let before = Clock.now
    try stream.reject("connection reset")
    _ = try session.streams.wait(for: 2).reject("connection refused")
    try session.connections.wait {
      $0 == #"lost: "no response from http://host:1: connection refused""#
    }
    let since = try session.store.select("selectConnectionLostSince").integer ?? 0
    #expect((before...Clock.now).contains(since))
    let third = try session.streams.wait(for: 3)
    #expect(try session.store.select("selectConnectionLostSince") == .integer(since))
    #expect(third.request.headers.contains(FetchHeader("Last-Event-ID", "1")))
    _ = try session.open(3, "")
    _ = try session.connections.wait(for: 8)
    #expect(
      session.connections.all == [
        "null", #"{"connecting":{}}"#, Self.following,
        #"lost: "no response from http://host:1: connection reset""#,
        #"retrying: "no response from http://host:1: connection reset""#,
        #"lost: "no response from http://host:1: connection refused""#,
        #"retrying: "no response from http://host:1: connection refused""#, Self.following,
      ])
    session.store.close()
  }

  /// The end of the connection is noticed even while an effect waits for the server.
  @Test func aWaitingEffectDelaysNothing() throws {
    let session = try Session()
    try session.setFetch()
    let stream = try session.open(1)
    try session.connections.wait { $0 == Self.following }
    session.animal.withLock { $0 = nil }
    try session.fetchAnimals()
    let post = try session.posts.wait(for: 1)
    try stream.resolve(status: 200, headers: [], [])
    try session.connections.wait { $0 == #"lost: "http://host:1 ended the connection""# }
    #expect(try session.store.select("selectAnimalsStatus") == ["waiting": [:]])
    try post.reject("no")
    session.store.close()
  }

  /// The heartbeat that a server announces, and the one that applies, in milliseconds.
  @Test(
    arguments: [
      (nil, 10_000), ("0", 10_000), ("-1", 10_000), ("soon", 10_000),
      ("99999999999999999999", 10_000), ("1", 10), ("20", 20), ("3600001", 3_600_000),
    ] as [(String?, Int64)])
  func heartbeats(_ announced: String?, _ milliseconds: Int64) throws {
    let follower = try ChangeFollower(
      RemoteStore(address: "http://host:1", fetcher: Fetcher { _ in }))
    follower.state.withLock { ($0.connectionNumber, $0.isLive) = (1, true) }
    let (queue, timers) = (EffectQueue(), EffectQueue())
    let context = ChangeFollower.Context(
      queue: queue, timers: timers, functions: EffectFunctions(), pending: PendingTasks("effect")
    ) {
      AnimalsState()
    } send: { _ in
    } recordFailure: { _ in
    }
    let headers = announced.map { [FetchHeader("Animals-Heartbeat", $0)] } ?? []
    follower.receive(.response(FetchResponse(status: 200, headers: headers)), of: 1, in: context)
    #expect(follower.state.withLock(\.heartbeat) == milliseconds)
    timers.close()
    timers.join()
  }

  @Test func aSilentServerIsDisconnected() throws {
    let session = try Session()
    try session.setFetch()
    let stream = try session.open(1, heartbeat: "20")
    try session.connections.wait { $0 == #"lost: "http://host:1 was silent for 50 ms""# }
    #expect(throws: FetchTask.ended) { try session.send(Self.reset, to: stream) }
    // The announced heartbeat applies until the server answers again.
    try session.connections.wait { $0 == #"retrying: "http://host:1 was silent for 50 ms""# }
    _ = try session.streams.wait(for: 3)
    session.store.close()
  }

  /// A fetch that failed while the server was unreachable is retried when it is reachable.
  @Test func aFailedFetchIsRetried() throws {
    let session = try Session()
    try session.setFetch()
    let stream = try session.open(1)
    try session.connections.wait { $0 == Self.following }
    session.animal.withLock { $0 = .failure(.rejected("no route")) }
    try stream.reject("connection reset")
    try session.fetchAnimals()
    try session.store.settle()
    #expect(
      try session.store.select("selectAnimalsStatus")
        == ["failure": ["error": "no response from http://host:1: no route"]])
    session.animal.withLock { $0 = .success(named("new")) }
    let succeeded = Inbox<Value>()
    try session.store.observe("selectAnimalsStatus", [:], ObservationOptions([:])) { delivery in
      if case .value(let value) = delivery.content { succeeded.append(value) }
    }
    _ = try session.open(2, "")
    try succeeded.wait { $0 == ["success": [:]] }
    #expect(try session.name == "new")
    session.store.close()
  }

  @Test(arguments: [
    (401, "application/json", #"http://host:1 answered with status 401"#),
    (
      200, "text/html; charset=utf-8",
      #"http://host:1 answered with \"text/html; charset=utf-8\", not with events; is it an "#
        + #"animals server?"#
    ),
  ])
  func answersThatAreNotEvents(_ status: Int, _ type: String, _ error: String) throws {
    let session = try Session()
    try session.setFetch()
    let stream = try session.streams.wait(for: 1)
    try stream.receive(status: status, headers: [FetchHeader("Content-Type", type)], [])
    try session.connections.wait { $0 == "lost: \"\(error)\"" }
    _ = try session.streams.wait(for: 2)
    session.store.close()
  }

  /// The program's function may answer before it returns.
  @Test func anImmediateAnswer() throws {
    let session = try Session()
    try session.store.setFetch { call in
      try? call.resolve(status: 500, headers: [], [])
      session.streams.append(call)
    }
    _ = try session.streams.wait(for: 3)
    try session.connections.wait { $0 == #"lost: "http://host:1 answered with status 500""# }
    session.store.close()
  }

  // MARK: The state

  @Test func aLocalStoreHasNoConnection() throws {
    let store = try AnyStore(AnimalsDomain.self)
    #expect(try store.select("selectConnection") == .null)
    #expect(try store.state()["connection"] == nil)
    store.close()
  }

  @Test(
    arguments: [
      (nil, "didBeginConnecting", nil, #"{"connecting":{}}"#),
      (Self.following, "didBeginConnecting", nil, #"{"connecting":{}}"#),
      (Self.lost, "didBeginConnecting", nil, #"{"retrying":{"error":"no","since":7}}"#),
      (Self.retrying, "didBeginConnecting", nil, Self.retrying),
      (Self.retrying, "didConnect", nil, Self.following),
      (Self.following, "didDisconnect", #"{"time":7,"error":"no"}"#, Self.lost),
      (
        Self.retrying, "didDisconnect", #"{"time":9,"error":"yes"}"#,
        #"{"lost":{"error":"yes","since":7}}"#
      ),
      (nil, "didDisconnect", #"{"time":7,"error":"no"}"#, Self.lost),
      (Self.lost, "didStop", nil, "null"),
    ] as [(String?, String, String?, String)])
  func connectionActions(
    _ before: String?, _ type: String, _ payload: String?, _ after: String
  ) throws {
    let member = before.map { #","connection":\#($0)"# } ?? ""
    let store = try AnyStore.animals(
      #"{"animals":{"data":{},"queue":{}},"categories":{"data":{}}\#(member)}"#)
    let content = payload.map { #","payload":\#($0)"# } ?? ""
    try store.dispatch(Value(json: #"{"type":"data/connection/\#(type)"\#(content)}"#))
    #expect(try store.select("selectConnection") == Value(json: after))
  }

  @Test func aLongReasonIsTruncated() throws {
    let store = try AnyStore.animals(state())
    let reason = String(repeating: "a", count: 1_001)
    try store.dispatch([
      "type": "data/connection/didDisconnect", "payload": ["time": 7, "error": .string(reason)],
    ])
    let truncated = Value.string(reason.dropLast() + "…")
    #expect(
      try store.select("selectConnection") == ["lost": ["since": 7, "error": truncated]])
  }

  static let lost = #"{"lost":{"error":"no","since":7}}"#
  static let retrying = #"{"retrying":{"error":"no","since":7}}"#

  // MARK: The token

  @Test func theTokenAppearsInEveryRequestAndNowhereElse() throws {
    let token = "s3cret~token+/="
    let session = try Session(["token": .string(token)])
    try session.setFetch()
    try session.fetchAnimals()
    let stream = try session.open(1)
    try session.connections.wait { $0 == Self.following }
    session.animal.withLock { $0 = .failure(.rejected("no")) }
    try session.send("id: 2\n\(Self.reset)", to: stream)
    let again = try session.streams.wait(for: 2)
    for call in [stream, again] + session.posts.all {
      #expect(call.request.headers.contains(FetchHeader("Authorization", "Bearer \(token)")))
      var dumped = ""
      dump(call.request, to: &dumped)
      for text in ["\(call.request)", String(reflecting: call.request), dumped] {
        #expect(!text.contains(token))
      }
    }
    for text in [
      try session.store.state().json, try session.store.statistics().json,
      "\(session.connections.all)",
    ] {
      #expect(!text.contains(token))
    }
    session.store.close()
  }

  @Test(
    arguments: [
      (["token": "x"], #"options: "token" is for a server; add "remote", or leave it out"#),
      (["remote": "http://host", "token": ""], "options/token: must not be empty"),
      (
        ["remote": "http://host", "token": 7], "options/token: expected a string, found an integer"
      ),
    ]
      + ["s3cret\n", "s3 cret", "s3cret\u{7f}", "s3cret\u{e9}", "s3cret\u{0}"].map {
        (
          ["remote": "http://host", "token": .string($0)],
          "options/token: must contain only visible ASCII characters, no spaces or line breaks"
        )
      } as [(Value, String)])
  func invalidTokens(_ options: Value, _ message: String) {
    let error = #expect(throws: EngineError.self) {
      _ = try AnyStore(AnimalsDomain.self, options: options)
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message == message)
  }
}

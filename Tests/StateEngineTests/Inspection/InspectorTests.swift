import Glibc
import ImmutableJSON
import TestSupport
import Testing
import Threading

@testable import StateEngine

/// A store that sets members, on a socket of its own.
private struct InspectedList {
  let path: String
  let store: AnyStore

  init(_ options: Value = [:], inspect: Value = [:], state: Value = ["items": []]) throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    self.path = folder.path + "/s"
    var all = options.object
    var inspect = inspect.object
    inspect["path"] = .string(self.path)
    all["inspect"] = .object(inspect)
    self.store = try Self.makeStore(.object(all), state)
  }

  private let folder: TemporaryFolder

  static func makeStore(_ options: Value, _ state: Value = ["items": []]) throws -> AnyStore {
    try AnyStore(state: state, options: options) { state, action in
      guard let payload = action["payload"], case .object(let members) = payload else {
        throw EngineError(.reducerFailed, "secret \(state.json)")
      }
      return try members.reduce(state) { state, member in
        try state.setting(JSONPointer("/" + member.key), member.value)
      }
    }
  }

  func set(_ members: Value) throws {
    try self.store.dispatch(["type": "set", "payload": members])
  }

  var number: Value {
    .integer(Int64(self.store.tracer.number))
  }
}

extension Value {
  fileprivate var object: JSONObject {
    if case .object(let members) = self { members } else { JSONObject() }
  }
}

@Suite struct InspectorTests {
  @Test func listsItsStores() throws {
    let list = try InspectedList(["history": true])
    let stores = try InspectorClient(list.path).result("stores")
    #expect(stores["protocol"] == 1)
    #expect(stores["process"] == .integer(Int64(getpid())))
    #expect(
      stores["stores"] == [
        [
          "store": list.number, "name": .string(list.store.tracer.name), "domain": .null,
          "control": false, "history": true, "log": .null, "readOnly": false, "patches": true,
        ]
      ])
  }

  @Test func passesCommitsOn() throws {
    let list = try InspectedList()
    let client = try InspectorClient(list.path)
    try list.set(["a": 1])
    #expect(try client.result("attach", ["store": list.number]) == ["commit": 1])
    let before = Clock.now
    try list.set(["b": 2])
    try list.store.dispatch(
      batch: [["type": "set", "payload": ["a": 3]], ["type": "set", "payload": [:]]])
    let messages = try (0..<3).map { _ in try #require(try client.notification()) }
    for message in messages {
      #expect(message["method"] == "commit")
      let time = try #require(message["params"]?["time"]?.integer)
      #expect(time >= before - 1 && time <= Clock.now)
      #expect(message["params"]?["microseconds"] != nil)
    }
    let commits = messages.map { message in
      var params = message["params"]?.object ?? JSONObject()
      for name in ["time", "microseconds"] { params[name] = nil }
      return Value.object(params)
    }
    #expect(
      commits == [
        [
          "store": list.number, "commit": 2, "action": ["type": "set", "payload": ["b": 2]],
          "patch": [["op": "add", "path": "/b", "value": 2]],
        ],
        [
          "store": list.number, "commit": 3, "action": ["type": "set", "payload": ["a": 3]],
          "patch": [["op": "replace", "path": "/a", "value": 3]], "batch": true,
        ],
        [
          "store": list.number, "commit": 4, "action": ["type": "set", "payload": [:]],
          "patch": [],
        ],
      ])
  }

  @Test func answersAboutTheState() throws {
    let list = try InspectedList(state: ["items": [1, 2, 3]])
    let client = try InspectorClient(list.path)
    let store: (JSONObject) -> Value = { members in
      var members = members
      members["store"] = list.number
      return .object(members)
    }
    #expect(
      try client.result("state", store([:])) == ["commit": 0, "value": ["items": [1, 2, 3]]])
    #expect(try client.result("state", store(["path": "/items/1"]))["value"] == 2)
    #expect(try client.error("state", store(["path": "/nothing"])).0 == -32000)
    let select = try client.result(
      "select", store(["expression": "[sum(items), $x]", "arguments": ["x": 4]]))
    #expect(select == ["commit": 0, "value": [6, 4]])
    #expect(
      try client.call("select", store(["selector": "none"]))["error"]?["data"] == [
        "code": "unknownSelector"
      ])
    #expect(try client.result("statistics", store([:]))["selects"] == 0)
    #expect(try client.result("describe", store([:]))["selectors"] == [])
    #expect(try client.error("history", store([:])).0 == -32000)
  }

  @Test func changesAStoreOnlyIfItMay() throws {
    let list = try InspectedList(["history": true])
    let client = try InspectorClient(list.path)
    let action: Value = ["type": "set", "payload": ["a": 1]]
    for (method, params) in [
      ("dispatch", ["action": action]), ("undo", [:]), ("redo", [:]), ("travel", ["step": 0]),
    ] as [(String, JSONObject)] {
      var params = params
      params["store"] = list.number
      #expect(try client.error(method, .object(params)).0 == -32002)
    }
    #expect(list.store.commits.number == 0)

    let open = try InspectedList(["history": true], inspect: ["control": true])
    let controller = try InspectorClient(open.path)
    let dispatch: Value = ["store": open.number, "action": action]
    #expect(try controller.result("dispatch", dispatch) == ["commit": 1])
    #expect(try controller.result("undo", ["store": open.number]) == ["steps": 1])
    #expect(try open.store.state() == ["items": []])
    #expect(try controller.result("redo", ["store": open.number, "steps": 5]) == ["steps": 1])
    #expect(try controller.result("travel", ["store": open.number, "step": 0]) == [:])
    let refused = try controller.call(
      "dispatch", ["store": open.number, "action": ["type": "other"]])
    #expect(refused["error"]?["data"] == ["code": "reducerFailed"])
    #expect(refused["error"]?["message"]?.json.contains("secret") == true)
  }

  @Test func refusesWhatIsNoRequest() throws {
    let list = try InspectedList()
    let client = try InspectorClient(list.path)
    for (line, code, id) in [
      ("{", -32700, .null), ("[]", -32600, .null), ("{}", -32600, .null),
      (#"{"jsonrpc":"2.0","id":"x","method":"store"}"#, -32601, "x"),
      (#"{"jsonrpc":"2.0","id":2,"method":"stores","params":[]}"#, -32602, 2),
      (#"{"jsonrpc":"2.0","id":3,"method":"stores","params":{"a":1}}"#, -32602, 3),
      (#"{"jsonrpc":"2.0","id":4,"method":"state","params":{"store":999999}}"#, -32001, 4),
      (#"{"jsonrpc":"2.0","id":[],"method":"stores"}"#, -32600, .null),
    ] as [(String, Int64, Value)] {
      client.send(line)
      let response = try #require(try client.next())
      #expect(response["error"]?["code"] == .integer(code), "\(line)")
      #expect(response["id"] == id, "\(line)")
    }
    // A notification has no response.
    client.send(#"{"jsonrpc":"2.0","method":"stores"}"#)
    #expect(try client.result("stores")["protocol"] == 1)
    client.send(String(repeating: " ", count: 2 << 20))
    #expect(try client.next() == nil)
  }

  @Test func neverWaitsForAClient() throws {
    let list = try InspectedList()
    let client = try InspectorClient(list.path)
    _ = try client.result("attach", ["store": list.number])
    let text = Value.string(String(repeating: "x", count: 1000))
    let count = 20_000
    for index in 1...count { try list.set(["a": .integer(Int64(index)), "b": text]) }
    let last = try #require(
      try client.result("state", ["store": list.number])["value"]?["a"]?.integer)
    #expect(last == count)
    var number = 0
    while number < count, let message = try client.notification() {
      let params = try #require(message["params"])
      if message["method"] == "dropped" {
        number += Int(try #require(params["commits"]?.integer))
      } else {
        number += 1
        #expect(params["commit"] == .integer(Int64(number)))
      }
    }
    #expect(number == count)
  }

  @Test func sharesASocketBetweenStores() throws {
    let list = try InspectedList()
    let client = try InspectorClient(list.path)
    _ = try client.result("stores")
    let other = try InspectedList.makeStore(["inspect": ["path": .string(list.path)]])
    let number = Value.integer(Int64(other.tracer.number))
    let opened = try #require(try client.notification())
    #expect(opened["method"] == "opened")
    #expect(opened["params"]?["store"] == number)
    _ = try client.result("attach", ["store": number])
    try other.dispatch(["type": "set", "payload": ["a": 1]])
    other.close()
    #expect(try client.notification()?["method"] == "commit")
    let closed = try #require(try client.notification())
    #expect(closed["method"] == "closed")
    #expect(closed["params"] == ["store": number])
    #expect(try client.error("state", ["store": number]).0 == -32001)
    list.store.close()
    #expect(try client.notification()?["method"] == "closed")
    #expect(try client.notification() == nil)
    #expect(access(list.path, F_OK) != 0)
  }

  @Test func listensOncePerPath() throws {
    let list = try InspectedList()
    list.store.close()
    // What a program leaves that was killed.
    let stale = try InspectorSocket.listen(at: list.path)
    InspectorSocket.close(stale.descriptor)
    let again = try InspectedList.makeStore(["inspect": ["path": .string(list.path)]])
    #expect(try InspectorClient(list.path).result("stores")["protocol"] == 1)
    #expect(throws: EngineError.self) { try InspectorSocket.listen(at: list.path) }
    again.close()
    let long = String(repeating: "x", count: 200)
    for path in ["", long, "/nowhere/s"] {
      #expect(throws: EngineError.self) {
        try InspectedList.makeStore(["inspect": ["path": .string(path)]])
      }
    }
  }

  @Test func replacesNoFile() throws {
    let folder = try TemporaryFolder()
    for name in ["notes", "notes~"] {
      let file = try #require(fopen(folder.path + "/" + name, "w"))
      fclose(file)
    }
    let path = Value.string(folder.path + "/notes")
    #expect(throws: EngineError.self) {
      try InspectedList.makeStore(["inspect": ["path": path]])
    }
    var status = stat()
    #expect(stat(folder.path + "/notes", &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
    #expect(stat(folder.path + "/notes~", &status) == 0)
    unlink(folder.path + "/notes")
    unlink(folder.path + "/notes~")
  }

  @Test func storesOfThreadsShareAPath() async throws {
    let folder = try TemporaryFolder()
    let options: Value = ["inspect": ["path": .string(folder.path + "/s")]]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<200 { try InspectedList.makeStore(options).close() }
        }
      }
      try await group.waitForAll()
    }
    #expect(access(folder.path + "/s", F_OK) != 0)
  }

  @Test func changesItsTraceWithoutALoss() throws {
    let list = try InspectedList()
    let client = try InspectorClient(list.path)
    let count = 100
    for index in 1...count {
      let params: Value = ["store": list.number, "trace": .bool(index % 2 == 0)]
      _ = try client.result("attach", params)
      try list.set(["a": .integer(Int64(index))])
    }
    for number in 1...count {
      let params = try #require(try client.notification()?["params"])
      #expect(params["commit"] == .integer(Int64(number)))
    }
  }

  @Test func hidesWhatTheTraceHides() throws {
    let list = try InspectedList(
      [
        "trace": ["show": [], "file": .null, "redact": ["/secret", "/payload/secret", "/type"]],
        "history": true,
      ],
      inspect: ["control": true], state: ["secret": "s3cret", "open": 1])
    let client = try InspectorClient(list.path)
    let store = list.number
    _ = try client.result("attach", ["store": store, "trace": true])
    var texts = [
      try client.call("state", ["store": store]).json,
      try client.call("state", ["store": store, "path": "/secret"]).json,
      try client.call("select", ["store": store, "expression": "secret"]).json,
      try client.call("select", ["store": store, "expression": "values(@)"]).json,
      try client.call("describe", ["store": store]).json,
      try client.call("dispatch", ["store": store, "action": ["type": "other"]]).json,
      try client.call(
        "dispatch", ["store": store, "action": ["type": "set", "payload": ["secret": "s3cret2"]]]
      ).json,
    ]
    #expect(texts[0].contains("[redacted]"))
    let history = try client.result("history", ["store": store])
    #expect(history["entries"]?.json.contains(#""type":"[redacted]""#) == true)
    while texts.count < 9 { texts.append(try #require(try client.notification()).json) }
    for text in texts { #expect(!text.contains("s3cret"), "\(text)") }
    #expect(texts.contains { $0.contains(#""method":"commit""#) })
    #expect(texts.contains { $0.contains(#""trace":"rejected""#) })
  }

  @Test func answersAllThatWasAsked() throws {
    let text = Value.string(String(repeating: "x", count: 300_000))
    let list = try InspectedList(state: ["text": text])
    let client = try InspectorClient(list.path)
    let count = 20
    for id in 1...count {
      client.send(
        #"{"jsonrpc":"2.0","id":\#(id),"method":"state","params":{"store":\#(list.number.json)}}"#)
    }
    shutdown(client.descriptor, Int32(SHUT_WR))
    for id in 1...count {
      let response = try #require(try client.next())
      #expect(response["id"] == .integer(Int64(id)))
      #expect(response["result"]?["value"]?["text"] == text)
    }
    #expect(try client.next() == nil)
  }

  @Test func passesDeepStatesOn() throws {
    let depth = 2000
    var deep = Value.null
    for _ in 0..<depth { deep = [deep] }
    let list = try InspectedList(state: ["deep": deep])
    let client = try InspectorClient(list.path)
    #expect(try client.result("state", ["store": list.number])["value"]?["deep"] == deep)
  }
}

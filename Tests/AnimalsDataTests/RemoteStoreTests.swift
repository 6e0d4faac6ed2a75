import ImmutableJSON
import Testing
import Threading

@testable import AnimalsData
@testable import StateEngine

/// The requests of a remote store, and its results for the responses.
@Suite struct RemoteStoreTests {
  private static let json = [FetchHeader("content-type", "application/json; charset=utf-8")]

  /// Makes a call on a store with a stand-in for its server, and returns the requests and the
  /// result.
  private func call(
    _ name: String, milliseconds: Int32 = 5_000,
    _ answer: @escaping @Sendable (FetchTask) throws -> Void
  ) -> (requests: [FetchRequest], result: String) {
    let requests = Mutex<[FetchRequest]>([])
    let fetcher = Fetcher { call in
      requests.withLock { $0.append(call.request) }
      try? answer(call)
    }
    let result: String
    do {
      let store = try RemoteStore(
        address: "http://host:1", fetcher: fetcher, timeout: milliseconds)
      result = try Self.call(name, store)
    } catch {
      result = "\(error)"
    }
    return (requests.withLock { $0 }, result)
  }

  private static func call(_ name: String, _ store: RemoteStore) throws -> String {
    switch name {
    case "animals": try text(store.fetchAnimalsQuery())
    case "categories": try text(store.fetchCategoriesQuery())
    case "add":
      try text(store.addAnimalMutation(name: "name", diet: .herbivorous, categoryId: "Mammal"))
    case "update":
      try text(
        store.updateAnimalMutation(
          animalId: "Dog", name: "name", diet: .omnivorous, categoryId: "Bird"))
    case "delete": try text(store.deleteAnimalMutation(animalId: "Dog"))
    default: try text(store.reloadSampleDataMutation().animals)
    }
  }

  private static func text(_ value: some Encodable) throws -> String {
    try Value(encoding: value).json
  }

  @Test(arguments: [
    (
      "animals", #"{"query":[{"animals":{}}]}"#,
      #"{"query":[{"animals":{"animals":[\#(dog)]}}]}"#, "[\(dog)]"
    ),
    (
      "categories", #"{"query":[{"categories":{}}]}"#,
      #"{"query":[{"categories":{"categories":[\#(bird)]}}]}"#, "[\(bird)]"
    ),
    (
      "add",
      #"{"mutation":[{"addAnimal":{"categoryId":"Mammal","diet":"Herbivore","name":"name"}}]}"#,
      #"{"mutation":[{"addAnimal":{"animal":\#(dog)}}]}"#, dog
    ),
    (
      "update",
      #"{"mutation":[{"updateAnimal":{"animalId":"Dog","categoryId":"Bird","diet":"Omnivore","#
        + #""name":"name"}}]}"#,
      #"{"mutation":[{"updateAnimal":{"animal":\#(dog)}}]}"#, dog
    ),
    (
      "delete", #"{"mutation":[{"deleteAnimal":{"animalId":"Dog"}}]}"#,
      #"{"mutation":[{"deleteAnimal":{"animal":\#(dog)}}]}"#, dog
    ),
    (
      "reload", #"{"mutation":[{"reloadSampleData":{}}]}"#,
      #"{"mutation":[{"reloadSampleData":{"animals":[\#(dog)],"categories":[\#(bird)]}}]}"#,
      "[\(dog)]"
    ),
    // The first answer of the right kind is used; unknown members are ignored.
    (
      "animals", #"{"query":[{"animals":{}}]}"#,
      #"{"mutation":null,"x":1,"query":[{"categories":{"categories":[]}},"#
        + #"{"animals":{"animals":[\#(dog)],"x":1}},{"animals":{"animals":[]}}]}"#,
      "[\(dog)]"
    ),
    (
      "animals", #"{"query":[{"animals":{}}]}"#, "{}",
      "http://host:1 answered without animals"
    ),
    (
      "delete", #"{"mutation":[{"deleteAnimal":{"animalId":"Dog"}}]}"#,
      #"{"mutation":[{"reloadSampleData":{"animals":[],"categories":[]}}]}"#,
      "http://host:1 answered without the change"
    ),
  ])
  func calls(_ name: String, _ body: String, _ answer: String, _ expected: String) {
    let (requests, result) = self.call(name) {
      try $0.resolve(status: 200, headers: Self.json, Array(answer.utf8))
    }
    #expect(result == expected)
    #expect(requests.count == 1)
    let request = requests.first
    #expect(request?.method == "POST")
    #expect(request?.url == "http://host:1/animals/api")
    #expect(request?.headers.contains(FetchHeader("Content-Type", "application/json")) == true)
    #expect(String(decoding: request?.body ?? [], as: UTF8.self) == body)
  }

  @Test(arguments: [
    (
      404, "Content-Type", "application/json",
      #"{"error":{"message":"mutation 1: there is no animal \"Dog\""}}"#,
      #"http://host:1 answered with status 404: mutation 1: there is no animal "Dog""#
    ),
    (500, "Content-Type", "text/html", "oops", "http://host:1 answered with status 500"),
    (
      302, "Location", "http://other/", "",
      #"http://host:1 redirects (302, to "http://other/"); open the store with the server's own "#
        + #"address"#
    ),
    (304, "ETag", "x", "", "http://host:1 answered with status 304"),
    (
      200, "Content-Type", "text/html", "<html>",
      #"http://host:1 answered with "text/html", not with JSON; is it an animals server?"#
    ),
    (
      200, "X", "y", "{}",
      "http://host:1 answered without a content type; is it an animals server?"
    ),
    (
      200, "Content-Type", "application/json", #"{"query":[{"animals":{"#,
      "http://host:1 sent an unexpected answer: "
    ),
    (
      200, "Content-Type", "application/json", #"{"query":["animals"]}"#,
      "http://host:1 sent an unexpected answer: "
    ),
    (
      200, "Content-Type", "application/json",
      #"{"query":[{"animals":{"animals":[{"animalId":"Dog"}]}}]}"#,
      "http://host:1 sent an unexpected answer: "
    ),
    (
      200, "Content-Type", "application/json",
      #"{"query":[{"animals":{"animals":[{"animalId":"D","categoryId":"B","diet":"carnivorous","#
        + #""name":"n"}]}}]}"#,
      "http://host:1 sent an unexpected answer: "
    ),
  ])
  func errors(_ status: Int, _ header: String, _ value: String, _ body: String, _ expected: String)
  {
    let (_, result) = self.call("animals") {
      try $0.resolve(
        status: status, headers: [FetchHeader(header, value)], Array(body.utf8))
    }
    #expect(result.hasPrefix(expected))
    #expect(result == expected || expected.hasSuffix(": "))
  }

  @Test func aMegabyteOfGarbage() {
    let garbage = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let (_, result) = self.call("animals") {
      try $0.resolve(status: 200, headers: Self.json, garbage)
    }
    #expect(result.hasPrefix("http://host:1 sent an unexpected answer"))
    #expect(result.utf8.count < 500)
  }

  @Test func noAnswer() {
    #expect(
      self.call("animals") { try $0.reject("connection refused") }.result
        == "no response from http://host:1: connection refused")
    #expect(
      self.call("animals") { try $0.reject("") }.result
        == "no response from http://host:1; the program gave no reason")
    #expect(
      self.call("animals", milliseconds: 20) { _ in }.result
        == "http://host:1: there was no response within 20 ms")
    #expect(
      self.call("animals") { call in
        try call.receive(status: 200, headers: Self.json, Array("{\"query\"".utf8))
        try call.reject("the connection was cut")
      }.result == "no response from http://host:1: the connection was cut")
  }
}

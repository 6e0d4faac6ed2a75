import HummingbirdTesting
import ImmutableJSON
import Testing

/// Tests the exact messages that clients receive.
@Suite struct RefusalTests {
  @Test(arguments: [
    (
      "{\n \"query\": x}", 400,
      #"{"code":"invalidJSON","column":11,"line":2,"message":"the body is not valid JSON: invalid "#
        + #"token near 'x' (line 2, column 11)","offset":13}"#
    ),
    (
      "", 400,
      #"{"code":"invalidJSON","column":1,"line":1,"message":"the body is not valid JSON: the text "#
        + #"is empty (line 1, column 1)","offset":0}"#
    ),
    (
      "[]", 422,
      #"{"code":"invalidRequest","message":"the body: expected an object, found an "#
        + #"array","path":""}"#
    ),
    (
      #"{"query":1}"#, 422,
      #"{"code":"invalidRequest","message":"/query: expected an array, found an "#
        + #"integer","path":"/query"}"#
    ),
    (
      #"{"query":[{"animals":{}},"animals"]}"#, 422,
      #"{"code":"invalidRequest","message":"/query/1: expected an object with one member, animals "#
        + #"or categories","path":"/query/1"}"#
    ),
    (
      #"{"mutation":[{}]}"#, 422,
      #"{"code":"invalidRequest","message":"/mutation/0: expected an object with one member, "#
        + #"addAnimal, updateAnimal, deleteAnimal or reloadSampleData","path":"/mutation/0"}"#
    ),
    (
      #"{"mutation":[{"addAnimal":{"name":"Eagle","categoryId":"Bird"}}]}"#, 422,
      #"{"code":"invalidRequest","message":"/mutation/0/addAnimal: \"diet\" is "#
        + #"missing","path":"/mutation/0/addAnimal"}"#
    ),
    (
      #"{"mutation":[{"addAnimal":{"name":"Eagle","diet":"herbivorous","categoryId":"Bird"}}]}"#,
      422,
      #"{"code":"invalidRequest","message":"/mutation/0/addAnimal/diet: expected one of "#
        + #"Herbivore, Carnivore, Omnivore","path":"/mutation/0/addAnimal/diet"}"#
    ),
    (
      #"{"mutation":[{"deleteAnimal":{"animalId":7}}]}"#, 422,
      #"{"code":"invalidRequest","message":"/mutation/0/deleteAnimal/animalId: expected a string, "#
        + #"found an integer","path":"/mutation/0/deleteAnimal/animalId"}"#
    ),
    (
      #"{"query":[\#(Array(repeating: #"{"animals":{}}"#, count: 17).joined(separator: ","))]}"#,
      422,
      #"{"code":"tooManyOperations","limit":16,"message":"\"query\" has 17 elements, but at most "#
        + #"16 are allowed","path":"/query"}"#
    ),
    (
      String(repeating: " ", count: 1001), 413,
      #"{"code":"bodyTooLarge","limit":1000,"message":"the body is larger than 1000 bytes"}"#
    ),
  ])
  func bodies(body: String, status: Int, error: String) async throws {
    try await withServer(bodyLimit: 1000) { client in
      let answer = try await client.post(body)
      #expect(answer == (status, #"{"error":\#(error)}"#))
    }
  }

  @Test(arguments: [
    (nil, "there is none"),
    ("text/plain", #"it is \"text/plain\""#),
    ("nonsense", #"it is \"nonsense\""#),
  ])
  func contentTypes(type: String?, reason: String) async throws {
    try await withServer { client in
      let answer = try await client.post("{}", type: type)
      #expect(
        answer == (
          415,
          #"{"error":{"code":"unsupportedMediaType","message":"the Content-Type must be "#
            + #"application/json; \#(reason)"}}"#
        ))
    }
  }

  @Test func unknownPaths() async throws {
    try await withServer { client in
      let answer = try await client.post("{}", to: "/animals")
      #expect(
        answer == (
          404,
          #"{"error":{"code":"notFound","message":"there is nothing at \"/animals\"; the paths "#
            + #"are /animals/api and /animals/changes","path":"/animals"}}"#
        ))
    }
  }

  @Test(arguments: [("/animals/api", "GET", "POST"), ("/animals/changes", "POST", "GET")])
  func methods(uri: String, wrong: String, right: String) async throws {
    try await withServer { client in
      try await client.execute(uri: uri, method: wrong == "GET" ? .get : .post) { response in
        #expect(response.status == .methodNotAllowed)
        #expect(response.headers[.allow] == right)
        #expect(
          String(buffer: response.body)
            == #"{"error":{"allow":["\#(right)"],"code":"methodNotAllowed","message":"\#(uri) "#
            + #"takes \#(right), not \#(wrong)"}}"#
        )
      }
    }
  }
}

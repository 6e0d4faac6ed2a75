import AnimalsData
import ImmutableJSON
import Testing

@Suite struct RequestTests {
  @Test(arguments: [
    ("{}", "{}"),
    (#"{"query":null}"#, "{}"),
    (#"{"query":[]}"#, #"{"query":[]}"#),
    (#"{"mutation":[],"more":1}"#, #"{"mutation":[]}"#),
    (
      #"{"mutation":[{"updateAnimal":{"animalId":"Dog","categoryId":"Bird","diet":"Omnivore","#
        + #""name":"n"}}]}"#,
      #"{"mutation":[{"updateAnimal":{"animal":{"animalId":"Dog","categoryId":"Bird","#
        + #""diet":"Omnivore","name":"n"}}}]}"#
    ),
    (
      #"{"mutation":[{"deleteAnimal":{"animalId":"Newt"}}]}"#,
      #"{"mutation":[{"deleteAnimal":{"animal":{"animalId":"Newt","categoryId":"Amphibian","#
        + #""diet":"Carnivore","name":"Newt"}}}]}"#
    ),
  ])
  func answers(request: String, response: String) async throws {
    try await withServer { client in
      let answer = try await client.post(request)
      #expect(answer == (200, response))
    }
  }

  @Test func contentTypeMayHaveParameters() async throws {
    try await withServer { client in
      let answer = try await client.post("{}", type: "Application/JSON; charset=utf-8")
      #expect(answer == (200, "{}"))
    }
  }

  @Test func queriesComeBeforeMutationsAndInOrder() async throws {
    try await withServer { client in
      let (status, body) = try await client.post(
        #"""
        {"mutation":[{"reloadSampleData":{}},{"deleteAnimal":{"animalId":"Dog"}}],
         "query":[{"animals":{}},{"categories":{}},{"animals":{}}]}
        """#)
      #expect(status == 200)
      let response: RemoteResponse = try Value(json: body).decode()
      let animals = SampleData.animals.sorted { $0.id < $1.id }
      guard case .animals(let first) = response.query?[0],
        case .categories(let categories) = response.query?[1],
        case .animals(let second) = response.query?[2]
      else {
        Issue.record("unexpected answers: \(body)")
        return
      }
      #expect(first.sorted { $0.id < $1.id } == animals)
      #expect(second.sorted { $0.id < $1.id } == animals)
      #expect(categories.sorted { $0.id < $1.id } == SampleData.categories)
      #expect(
        response.mutation == [
          .reloadSampleData(animals: SampleData.animals, categories: SampleData.categories),
          .deleteAnimal(animal: SampleData.animals[0]),
        ])
    }
  }

  @Test func aFailedRequestHasNoEffect() async throws {
    try await withServer { client in
      let (status, body) = try await client.post(
        #"{"mutation":[{"deleteAnimal":{"animalId":"Dog"}},{"deleteAnimal":{"animalId":"Dog"}}]}"#)
      #expect(status == 404)
      #expect(
        body == #"{"error":{"animalId":"Dog","code":"animalNotFound","index":1,"#
          + #""message":"/mutation/1/deleteAnimal: there is no animal \"Dog\"; "#
          + #"the request had no effect","mutation":"deleteAnimal"}}"#)
      let again = try await client.post(#"{"mutation":[{"deleteAnimal":{"animalId":"Dog"}}]}"#)
      #expect(again.status == 200)
    }
  }
}

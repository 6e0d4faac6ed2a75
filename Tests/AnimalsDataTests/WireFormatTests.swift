import AnimalsData
import ImmutableJSON
import Testing

/// The JSON of requests and responses.
@Suite struct WireFormatTests {
  private static let dogAnimal = Animal(
    animalId: "Dog", name: "Dog", diet: .carnivorous, categoryId: "Mammal")

  @Test(arguments: [
    (RemoteRequest(), "{}"),
    (RemoteRequest(query: []), #"{"query":[]}"#),
    (RemoteRequest(query: [.categories]), #"{"query":[{"categories":{}}]}"#),
    (RemoteRequest(query: [.animals]), #"{"query":[{"animals":{}}]}"#),
    (
      RemoteRequest(mutation: [
        .addAnimal(name: "name", diet: .herbivorous, categoryId: "Mammal")
      ]),
      #"{"mutation":[{"addAnimal":{"categoryId":"Mammal","diet":"Herbivore","name":"name"}}]}"#
    ),
    (
      RemoteRequest(mutation: [
        .updateAnimal(animalId: "Dog", name: "name", diet: .omnivorous, categoryId: "Bird")
      ]),
      #"{"mutation":[{"updateAnimal":{"animalId":"Dog","categoryId":"Bird","diet":"Omnivore","#
        + #""name":"name"}}]}"#
    ),
    (
      RemoteRequest(mutation: [.deleteAnimal(animalId: "Dog")]),
      #"{"mutation":[{"deleteAnimal":{"animalId":"Dog"}}]}"#
    ),
    (RemoteRequest(mutation: [.reloadSampleData]), #"{"mutation":[{"reloadSampleData":{}}]}"#),
    (
      RemoteRequest(query: [.categories, .animals], mutation: [.reloadSampleData]),
      #"{"mutation":[{"reloadSampleData":{}}],"query":[{"categories":{}},{"animals":{}}]}"#
    ),
  ])
  func requests(_ request: RemoteRequest, _ text: String) throws {
    #expect(try Value(encoding: request).json == text)
    #expect(try Value(json: text).decode() == request)
  }

  @Test(arguments: [
    (RemoteResponse(), "{}"),
    (
      RemoteResponse(query: [.categories(categories: [Category(categoryId: "Bird", name: "Bird")])]
      ),
      #"{"query":[{"categories":{"categories":[\#(bird)]}}]}"#
    ),
    (
      RemoteResponse(query: [.animals(animals: [dogAnimal])]),
      #"{"query":[{"animals":{"animals":[\#(dog)]}}]}"#
    ),
    (
      RemoteResponse(mutation: [.addAnimal(animal: dogAnimal)]),
      #"{"mutation":[{"addAnimal":{"animal":\#(dog)}}]}"#
    ),
    (
      RemoteResponse(mutation: [.updateAnimal(animal: dogAnimal)]),
      #"{"mutation":[{"updateAnimal":{"animal":\#(dog)}}]}"#
    ),
    (
      RemoteResponse(mutation: [.deleteAnimal(animal: dogAnimal)]),
      #"{"mutation":[{"deleteAnimal":{"animal":\#(dog)}}]}"#
    ),
    (
      RemoteResponse(mutation: [.reloadSampleData(animals: [dogAnimal], categories: [])]),
      #"{"mutation":[{"reloadSampleData":{"animals":[\#(dog)],"categories":[]}}]}"#
    ),
  ])
  func responses(_ response: RemoteResponse, _ text: String) throws {
    #expect(try Value(encoding: response).json == text)
    #expect(try Value(json: text).decode() == response)
  }

  @Test(arguments: [
    (#"{"query":null}"#, RemoteRequest()),
    (#"{"query":null,"mutation":null}"#, RemoteRequest()),
    (#"{"id":7,"query":[{"animals":{"first":3}}]}"#, RemoteRequest(query: [.animals])),
    (
      #"{"mutation":[{"deleteAnimal":{"animalId":"Dog","why":null}}]}"#,
      RemoteRequest(mutation: [.deleteAnimal(animalId: "Dog")])
    ),
  ])
  func unknownMembersOfARequestAreIgnored(_ text: String, _ request: RemoteRequest) throws {
    #expect(try Value(json: text).decode() == request)
  }

  @Test func unknownMembersOfARecordAreIgnored() throws {
    let text = #"{"query":[{"categories":{"categories":[{"categoryId":"A","name":"B","n":1}]}}]}"#
    let response: RemoteResponse = try Value(json: text).decode()
    #expect(
      response
        == RemoteResponse(query: [.categories(categories: [.init(categoryId: "A", name: "B")])]))
  }

  enum Fault {
    case corrupt, key, type
  }

  @Test(
    arguments: [
      (#"{"query":["animals"]}"#, .type),
      (#"{"query":{}}"#, .type),
      (#"{"query":[{}]}"#, .type),
      (#"{"query":[{"animals":{},"categories":{}}]}"#, .type),
      (#"{"query":[{"plants":{}}]}"#, .type),
      (#"{"query":[{"animals":null}]}"#, .type),
      (#"{"mutation":[{"deleteAnimal":{}}]}"#, .key),
      (#"{"mutation":[{"deleteAnimal":{"animalId":7}}]}"#, .type),
      (
        #"{"mutation":[{"addAnimal":{"categoryId":"Mammal","diet":"herbivorous","name":"name"}}]}"#,
        .corrupt
      ),
      ("[]", .type),
    ] as [(String, Fault)])
  func malformedRequests(_ text: String, _ fault: Fault) throws {
    let value = try Value(json: text)
    let error = #expect(throws: DecodingError.self) { try value.decode(RemoteRequest.self) }
    let found: Fault? =
      switch error {
      case .typeMismatch: .type
      case .dataCorrupted: .corrupt
      case .keyNotFound: .key
      default: nil
      }
    #expect(found == fault)
  }

  @Test func theErrorOfAnEnumWithTwoKeys() throws {
    let value = try Value(json: #"{"query":[{"animals":{},"categories":{}}]}"#)
    let error = #expect(throws: DecodingError.self) { try value.decode(RemoteRequest.self) }
    guard case .typeMismatch(_, let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.debugDescription == "Invalid number of keys found, expected one.")
  }
}

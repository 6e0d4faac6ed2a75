import AnimalsData
import ImmutableJSON
import StateEngine
import Testing

/// Results are decoded as by the function that Swift synthesizes.
@Suite struct AnimalResultTests {
  private enum Synthesized: Codable {
    case success(animal: Animal)
    case failure(error: String)
  }

  private static let animal: Value = [
    "animalId": "1", "categoryId": "Mammal", "diet": "Omnivore", "name": "Badger",
  ]

  private static let results: [Value] = [
    ["success": ["animal": Self.animal]],
    ["success": ["animal": Self.animal, "other": 1]],
    ["failure": ["error": "It is gone."]],
    // Errors.
    ["success": [:]],
    ["success": ["animal": 1]],
    ["success": ["animal": ["animalId": "1"]]],
    ["success": ["animal": ["animalId": "\0", "categoryId": "", "diet": "Omnivore", "name": ""]]],
    ["success": 1],
    ["failure": [:]],
    ["other": [:]],
    ["success": ["animal": Self.animal], "failure": ["error": ""]],
    [:],
    "success",
    .null,
  ]

  private func outcome<Result: Codable>(_ type: Result.Type, _ value: Value) -> String {
    do {
      return try Value(encoding: value.decode(Result.self)).json
    } catch {
      return reason(error, in: "result")
    }
  }

  @Test(arguments: Self.results) func resultsAndErrorsAreTheSame(_ value: Value) {
    let expected = self.outcome(Synthesized.self, value)
    typealias Result = AnimalsAction.Data.PersistentSession.AnimalResult
    #expect(self.outcome(Result.self, value) == expected)
  }
}

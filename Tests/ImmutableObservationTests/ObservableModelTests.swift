import AnimalsData
import CounterData
import ImmutableData
import ImmutableDataC
import ImmutableJSON
import ImmutableObservation
import JMESPath
import Observation
import StateEngine
import Testing

/// The macro refers to the module `Observation`. No type of a product may hide its name.
@Observable private final class Model {
  var count: Value = 0
}

@Suite struct ObservableModelTests {
  @Test func aModelIsObservableBesideAllProducts() async throws {
    let model = Model()
    let store = try AnyStore(CounterDomain.self)
    try await confirmation { changed in
      withObservationTracking {
        _ = model.count
      } onChange: {
        changed()
      }
      try store.dispatch(["type": "didTapIncrementButton"])
      model.count = try store.select("selectValue")
    }
    #expect(model.count == 1)
  }
}

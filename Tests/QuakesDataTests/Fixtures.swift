import ImmutableJSON
import QuakesData
import StateEngine

// States and actions are written as JSON, composed of these functions and constants.

let waiting = #"{"waiting":{}}"#
let success = #"{"success":{}}"#
let failed = #"{"failure":{"error":"no"}}"#

/// A quake as JSON.
func quake(
  _ id: String, magnitude: String = "1.5", time: Int64 = 1_000, name: String = "West of California",
  latitude: String = "35.0"
) -> String {
  #"{"latitude":\#(latitude),"longitude":-125.0,"magnitude":\#(magnitude),"name":"\#(name)","#
    + #""quakeId":"\#(id)","time":\#(time),"updated":1000}"#
}

/// A state as JSON.
func state(_ quakes: [String: String] = [:], status: String? = nil) -> String {
  let data = quakes.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
  let status = status.map { ",\"status\":\($0)" } ?? ""
  return "{\"quakes\":{\"data\":{\(data.joined(separator: ","))}\(status)}}"
}

func ui(_ type: String, _ payload: String? = nil) -> String {
  action("ui/quakeList/\(type)", payload)
}

func local(_ type: String, _ payload: String) -> String {
  action("data/persistentSession/localStore/\(type)", payload)
}

func remote(_ type: String, _ payload: String) -> String {
  action("data/persistentSession/remoteStore/\(type)", payload)
}

/// The payload of quakes that were fetched.
func fetched(_ quakes: String...) -> String {
  #"{"result":{"success":{"quakes":[\#(quakes.joined(separator: ","))]}}}"#
}

private func action(_ type: String, _ payload: String?) -> String {
  let payload = payload.map { ",\"payload\":\($0)" } ?? ""
  return "{\(payload.isEmpty ? "" : payload.dropFirst() + ",")\"type\":\"\(type)\"}"
}

let refreshDay = ui("onTapRefreshQuakesButton", #"{"range":"allDay"}"#)

/// The domain without its effects.
enum EffectlessQuakesDomain: Domain {
  static let name = QuakesDomain.name
  static let summary = QuakesDomain.summary
  static var initialState: QuakesState { QuakesDomain.initialState }
  static var stateSchema: Schema { QuakesDomain.stateSchema }
  static var actions: [ActionDescription<Action>] { QuakesDomain.actions }
  static var selectors: [SelectorDescription<QuakesState>] { QuakesDomain.selectors }
  static var filters: [FilterDescription<QuakesState, QuakesAction>] { QuakesDomain.filters }

  static func reduce(_ state: QuakesState, _ action: QuakesAction) throws -> QuakesState {
    try QuakesDomain.reduce(state, action)
  }
}

extension AnyStore {
  static func quakes(_ state: String) throws -> AnyStore {
    try AnyStore(EffectlessQuakesDomain.self, options: ["state": Value(json: state)])
  }

  func dispatch(_ action: String) throws {
    try self.dispatch(Value(json: action))
  }
}

extension Quake {
  /// A quake for tests that need Swift values.
  init(
    _ id: String, magnitude: Double = 1.5, time: Int64 = 1_000, name: String = "West of California"
  ) {
    self.init(
      quakeId: id, magnitude: magnitude, time: Timestamp(milliseconds: time),
      updated: Timestamp(milliseconds: 1_000), name: name, longitude: -125, latitude: 35)
  }
}

extension QuakesState {
  init(_ quakes: [Quake], status: Status? = nil) {
    self.init(
      quakes: .init(
        data: .init(uniqueKeysWithValues: quakes.map { ($0.id, $0) }), status: status))
  }
}

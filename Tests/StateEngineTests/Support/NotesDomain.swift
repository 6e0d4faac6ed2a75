import ImmutableJSON
import StateEngine

/// A domain with grouped actions, payloads, arguments, optional and nested state, and a reducer
/// that can fail.
enum NotesDomain: Domain {
  struct State: Codable, Sendable {
    var notes: [String: String] = [:]
    var color: Color?
  }

  enum Color: String, Codable, Sendable { case red, green }

  enum Action: Codable, Sendable {
    case ui(UI)
    case clear

    enum UI: Codable, Sendable {
      case editor(Editor)
    }

    enum Editor: Codable, Sendable {
      case didSave(id: String, text: String)
      case didPick(color: Color?)
    }
  }

  struct Arguments: Codable, Sendable {
    var id: String
  }

  struct TooLong: Error, CustomStringConvertible {
    let description = "a note has at most 10 letters; shorten it"
  }

  static let name = "notes"
  static let summary = "Short notes."
  static let initialState = State()

  static var stateSchema: Schema {
    .object([
      .init("notes", .dictionary(.string), "Texts by id."),
      .init("color", .nullable(.oneOf(["red", "green"])), isRequired: false, "The color."),
    ])
  }

  static var actions: [ActionDescription<Action>] {
    [
      .init(
        "ui/editor/didSave", "A note was saved.",
        payload: [
          .init("id", .string, "The id of the note."), .init("text", .string, "The text."),
        ]),
      .init(
        "ui/editor/didPick", "A color was picked.",
        payload: [
          .init(
            "color", .nullable(.oneOf(["red", "green"])), isRequired: false, "None if left out.")
        ]),
      .init("clear", "All notes were removed."),
    ]
  }

  static var selectors: [SelectorDescription<State>] {
    [
      .init("selectNotes", "Texts by id.", output: .dictionary(.string)) { $0.notes },
      .init("selectColor", "The color.", output: .nullable(.string), reads: [StatePart(\.color)]) {
        $0.color
      },
      .init(
        "selectNote", "The text of a note.",
        arguments: [.init("id", .string, "The id of the note.")],
        output: .nullable(.string), reads: [StatePart(\.notes)]
      ) { (state, arguments: Arguments) in state.notes[arguments.id] },
    ]
  }

  static func reduce(_ state: State, _ action: Action) throws -> State {
    var state = state
    switch action {
    case .ui(.editor(.didSave(_, let text))) where text.count > 10:
      throw TooLong()
    case .ui(.editor(.didSave(let id, let text))):
      state.notes[id] = text
    case .ui(.editor(.didPick(let color))):
      state.color = color
    case .clear:
      state.notes = [:]
    }
    return state
  }
}

import ImmutableJSON
import StateEngine

/// A domain of books on shelves, with filters.
enum ShelfDomain: Domain {
  struct State: Codable, Sendable {
    /// The shelf of each book.
    var books: [String: String] = [:]
  }

  enum Action: Codable, Sendable {
    case put(book: String, shelf: String)
    case move(book: String, shelf: String)
    case remove(book: String)
  }

  struct Shelf: Decodable, Sendable {
    var shelf: String
  }

  struct Book: Decodable, Sendable {
    var book: String?
  }

  static let name = "shelf"
  static let summary = "Books on shelves."
  static let initialState = State()

  static var stateSchema: Schema {
    .object([.init("books", .dictionary(.string), "The shelf of each book.")])
  }

  static var actions: [ActionDescription<Action>] {
    let payload: [Schema.Property] = [
      .init("book", .string, "The book."), .init("shelf", .string, "Its shelf."),
    ]
    return [
      .init("put", "Adds a book.", payload: payload),
      .init("move", "Moves a book.", payload: payload),
      .init("remove", "Removes a book.", payload: Array(payload.prefix(1))),
    ]
  }

  static var selectors: [SelectorDescription<State>] {
    [
      .init(
        "selectBooks", "The books on a shelf.",
        arguments: [.init("shelf", .string, "The shelf.")], output: .array(.string),
        reads: [StatePart(\.books)]
      ) { (state, arguments: Shelf) in
        state.books.filter { $0.value == arguments.shelf }.keys.sorted()
      },
      .init(
        "selectShelf", "The shelf of a book.",
        arguments: [.init("book", .nullable(.string), isRequired: false, "The book.")],
        output: .nullable(.string), reads: [StatePart(\.books, at: "book") { $0[$1] }]
      ) { (state, arguments: Book) in arguments.book.flatMap { state.books[$0] } },
      .init(
        "selectCount", "The number of books.", output: .integer, reads: [StatePart(\.books)]
      ) { $0.books.count },
    ]
  }

  static var filters: [FilterDescription<State, Action>] {
    [
      .init("filterAll", "All actions.") { _, _ in true },
      .init(
        "filterShelf", "The actions that add books to a shelf, or move books from or to it.",
        arguments: [.init("shelf", .string, "The shelf.")]
      ) { (arguments: Shelf) in
        { old, action in
          switch action {
          case .put(_, let shelf): shelf == arguments.shelf
          case .move(let book, let shelf):
            shelf == arguments.shelf || old.books[book] == arguments.shelf
          case .remove(let book): old.books[book] == arguments.shelf
          }
        }
      },
    ]
  }

  static func reduce(_ state: State, _ action: Action) -> State {
    var state = state
    switch action {
    case .put(let book, let shelf), .move(let book, let shelf): state.books[book] = shelf
    case .remove(let book): state.books[book] = nil
    }
    return state
  }
}

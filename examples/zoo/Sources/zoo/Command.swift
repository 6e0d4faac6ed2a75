import AnimalsData

/// What the user wants to do with the animals of a category.
struct Command {
  enum Operation {
    case list
    case add(name: String, diet: Diet)
    case rename(name: String, newName: String)
    case delete(name: String)
    case watch(count: Int)
  }

  let category: AnimalsData.Category.ID
  let operation: Operation

  /// Reads the arguments of the program; `nil` if they are invalid.
  static func parse(_ arguments: some Collection<String>) -> (source: String, command: Self)? {
    let words = Array(arguments)
    guard words.count >= 3, let operation = Operation(words[1], words.dropFirst(3).map(\.self))
    else { return nil }
    return (words[0], Self(category: words[2], operation: operation))
  }
}

extension Command.Operation {
  init?(_ name: String, _ arguments: [String]) {
    switch (name, arguments.count) {
    case ("list", 0):
      self = .list
    case ("add", 2):
      guard let diet = Diet(rawValue: arguments[1]) else { return nil }
      self = .add(name: arguments[0], diet: diet)
    case ("rename", 2):
      self = .rename(name: arguments[0], newName: arguments[1])
    case ("delete", 1):
      self = .delete(name: arguments[0])
    case ("watch", 1):
      guard let count = Int(arguments[0]) else { return nil }
      self = .watch(count: count)
    default:
      return nil
    }
  }
}

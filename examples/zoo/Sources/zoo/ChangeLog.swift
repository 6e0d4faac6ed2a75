import AnimalsData
import ImmutableData

/// A listener that writes a line for each change of an animal to standard error.
///
/// It reads the stream of actions. The state before an action has the old name of a renamed animal.
@MainActor final class ChangeLog {
  private var task: Task<Void, Never>?

  func listen(to store: Store<AnimalsState, AnimalsAction>) {
    let stream = store.makeStream()
    self.task = Task {
      for await (oldState, action) in stream {
        if let line = Self.line(for: action, oldState) { printError("\(line)\n") }
      }
    }
  }

  /// Waits until the lines of all actions are written. The stream ends when the store is released.
  func finish() async {
    await self.task?.value
  }

  private static func line(for action: AnimalsAction, _ oldState: AnimalsState) -> String? {
    guard case .data(.persistentSession(let action)) = action else { return nil }
    switch action {
    case .didAddAnimal(_, .success(let animal)):
      return "added \(animal.name)"
    case .didUpdateAnimal(_, .success(let animal)), .didReceiveChange(.saved(let animal)):
      let old = oldState.animals.data[animal.id]
      return old.map { "changed \($0.name) to \(animal.name)" } ?? "added \(animal.name)"
    case .didDeleteAnimal(_, .success(let animal)), .didReceiveChange(.deleted(let animal)):
      return "deleted \(animal.name)"
    default:
      return nil
    }
  }
}

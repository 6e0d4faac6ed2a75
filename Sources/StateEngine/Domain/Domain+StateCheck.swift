import ImmutableData
import ImmutableJSON

extension Domain {
  /// Throws ``EngineError`` (`reducerFailed`) if JSON cannot write the state after an action, or in
  /// a debug build, if it has another shape than the domain describes.
  ///
  /// - Parameter type: The type of the action.
  static func check(
    _ next: State, after old: State, _ type: @autoclosure () -> String
  ) throws {
    func failure(_ problem: String, _ remedy: String) -> EngineError {
      EngineError(
        .reducerFailed,
        "the reducer of the domain \(quoted(self.name)) returned for \(quoted(type())) a state "
          + "that \(problem); \(remedy)")
    }
    do {
      #if DEBUG
        let state = try Value(encoding: next)
        do throws(EngineError) {
          try self.stateSchema.check(state, "state")
        } catch {
          throw failure(
            "its stateSchema does not describe: \(error)", "correct the schema or the reducer")
        }
      #else
        try Value.checkEncoding(of: next, after: old)
      #endif
    } catch EncodingError.invalidValue(_, let context) {
      let path = JSONPointer(context.codingPath.map(\.stringValue))
      throw failure(
        "JSON cannot write: state\(path): \(context.debugDescription)",
        "throw an error for such a result instead")
    } catch is ValueLimitError {
      // It is no contradiction. Whoever reads the state as JSON gets the error.
    }
  }
}

extension Schema {
  /// Whether a value of this shape can have a number that is no integer.
  var hasNumbers: Bool {
    self.contains { schema in
      switch schema {
      case .any, .number: true
      default: false
      }
    }
  }
}

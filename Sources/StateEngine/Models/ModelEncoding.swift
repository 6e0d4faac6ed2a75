import ImmutableData
import ImmutableJSON

/// Reads the commits of the stores of a model.
enum ModelEncoding<Model: StateModel>: CommitEncoding {
  @specialized(where Model == ValueModel)
  static func oldState(of commit: AnyCommit) -> any Snapshot {
    Model.snapshot(of: Self.typed(commit).oldState, nil)
  }

  @specialized(where Model == ValueModel)
  static func newState(of commit: AnyCommit) -> any Snapshot {
    let state =
      commit.found == nil ? Self.typed(commit).newState : Self.inPlace(commit).newState
    return Model.snapshot(of: state, SharedHistoryStatus(after: commit))
  }

  @specialized(where Model == ValueModel)
  static func action(of commit: AnyCommit) throws -> Value {
    if commit.found != nil { return try Model.json(of: Self.inPlace(commit).action) }
    guard let action = Self.typed(commit).action else { return commit.jump?.json ?? .null }
    return try Model.json(of: action)
  }

  private static func typed(_ commit: AnyCommit) -> Commit<Model.State, Model.Action> {
    commit.typed()
  }

  private static func inPlace(_ commit: AnyCommit) -> InPlaceCommit<Model.State, Model.Action> {
    commit.inPlace()
  }
}

import ImmutableData
import ImmutableJSON
import Threading

extension Tracer {
  /// The work that the difference of two states may take.
  private static var changesBudget: Int { 1 << 20 }

  func write(_ commit: AnyCommit, in scope: CallScope) {
    guard self.shows(.actions) else { return }
    self.write("action", in: scope) {
      var members: Members = [("number", .integer(Int64(commit.number)))]
      members += self.describe(commit)
      if self.shows(.changes) {
        switch self.changes(of: commit, since: self.last) {
        case .success(let patch): members.append(("changes", patch))
        case .failure(let obstacle): members.append(("message", obstacle.message))
        }
      }
      return members
    }
  }

  /// The action of a commit, who wrote it, and how long its reducer ran.
  func describe(_ commit: AnyCommit) -> Members {
    var members: Members = []
    if let action = try? self.encoding?.action(of: commit) {
      members.append(("action", self.redaction.apply(to: action)))
    }
    if commit.writer > 0 { members.append(("writer", .integer(Int64(commit.writer)))) }
    if commit.reducerRun.duration > 0 {
      members.append(("microseconds", self.microseconds(commit.reducerRun.duration)))
    }
    return members
  }

  /// Why the changes of a commit are not shown.
  struct Obstacle: Error {
    let message: Value
  }

  /// What a commit changed, as a JSON Patch.
  ///
  /// - Parameter last: What the reader of the commits has encoded last.
  func changes(of commit: AnyCommit, since last: LastState) -> Result<Value, Obstacle> {
    do {
      guard let encoding else { throw EngineError.closed }
      let new = try encoding.newState(of: commit).value()
      let known = last.value(after: commit.number - 1)
      let old = try known ?? encoding.oldState(of: commit).value()
      last.set(new, after: commit.number)
      let states = self.redaction.apply(to: (old, new))
      var budget = WorkBudget(Self.changesBudget)
      return .success(try states.old.diff(to: states.new, &budget))
    } catch let error as JSONPatchError {
      return .failure(Obstacle(message: .string("the changes are not shown: \(error)")))
    } catch {
      let message = self.redaction.apply(toMessage: "the changes are not shown: \(error)")
      return .failure(Obstacle(message: message))
    }
  }

  /// Writes why a dispatch failed.
  ///
  /// - Returns: The error.
  @inline(never)
  func rejecting(_ action: Value, _ error: EngineError, in scope: CallScope) -> EngineError {
    guard self.shows(.rejections) else { return error }
    self.write("rejected", in: scope) {
      let action: (String, Value) =
        if case .array(let actions) = action {
          ("actions", .array(JSONArray(actions.map { self.redaction.apply(to: $0) })))
        } else {
          ("action", self.redaction.apply(to: action))
        }
      return [action] + self.members(of: error)
    }
    return error
  }
}

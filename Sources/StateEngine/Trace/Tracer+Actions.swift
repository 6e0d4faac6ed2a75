import ImmutableData
import ImmutableJSON
import Threading

extension Tracer {
  /// The work that the difference of two states may take.
  private static var changesBudget: Int { 1 << 20 }

  func write(_ commit: AnyCommit, in scope: CallScope) {
    guard let encoding, self.shows(.actions) else { return }
    self.write("action", in: scope) {
      var members: Members = [("number", .integer(Int64(commit.number)))]
      if let action = try? encoding.action(of: commit) {
        members.append(("action", self.redaction.apply(to: action)))
      }
      if commit.writer > 0 { members.append(("writer", .integer(Int64(commit.writer)))) }
      if commit.reducerTime > 0 {
        members.append(("microseconds", self.microseconds(commit.reducerTime)))
      }
      if self.shows(.changes) { members.append(self.changes(of: commit, encoding)) }
      return members
    }
  }

  private func changes(
    of commit: AnyCommit, _ encoding: any CommitEncoding.Type
  ) -> (String, Value) {
    do {
      let new = try encoding.newState(of: commit).value()
      let known = self.last.value(after: commit.number - 1)
      let old = try known ?? encoding.oldState(of: commit).value()
      self.last.set(new, after: commit.number)
      let states = self.redaction.apply(to: (old, new))
      var budget = WorkBudget(Self.changesBudget)
      return ("changes", try states.old.diff(to: states.new, &budget))
    } catch let error as JSONPatchError {
      return ("message", .string("the changes are not shown: \(error)"))
    } catch {
      return ("message", self.redaction.apply(toMessage: "the changes are not shown: \(error)"))
    }
  }

  /// Writes why a dispatch failed.
  ///
  /// - Returns: The error.
  @inline(never)
  func rejecting(_ action: Value, _ error: EngineError, in scope: CallScope) -> EngineError {
    guard self.shows(.actions) else { return error }
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

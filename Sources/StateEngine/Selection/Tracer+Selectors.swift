import ImmutableJSON
import Threading

extension Tracer {
  /// Evaluates a selector for a select or query whose output is not cached.
  ///
  /// - Parameter last: The output for an earlier state.
  @inline(never)
  func evaluating(
    _ selector: BoundSelector, of call: SelectCall, after last: Value?,
    for snapshot: any Snapshot
  ) throws(EngineError) -> Value {
    let start = Clock.uptimeNanoseconds
    let output = ObservationOutput(of: selector, in: snapshot)
    let time = self.microseconds(since: start)
    self.write("selector") {
      let text = String(decoding: call.text, as: UTF8.self)
      return self.members(
        of: selector, named: call.isExpression ? nil : text,
        isChanged: output != last.map { .value($0) }, output, time)
    }
    return try output.get()
  }

  func members(
    of selector: BoundSelector, named name: String?, isChanged: Bool, _ output: ObservationOutput?,
    _ time: Value
  ) -> Members {
    var members: Members = [("changed", .bool(isChanged)), ("microseconds", time)]
    if let name { members.append(("name", .string(name))) }
    switch selector {
    case .expression(let expression, _, _): members.append(("expression", .string(expression.text)))
    case .function(let call):
      members.append(("inputs", .strings(call.selector.function.options.allInputs)))
    case .domain, .invalid: break
    }
    if case .object(let arguments) = selector.arguments, !arguments.isEmpty {
      members.append(("arguments", self.redaction.apply(to: selector.arguments)))
    }
    if case .failure(let error)? = output { members += self.members(of: error) }
    return members
  }
}

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

  /// Evaluates an observation.
  ///
  /// - Parameters:
  ///   - number: That of the last commit.
  ///   - update: Returns whether the output has changed.
  @inline(never)
  func evaluating(
    _ observation: StoreObservation, after number: Int, in scope: CallScope,
    _ update: () -> Bool
  ) -> Bool {
    let last = observation.dependencyOutputs
    let start = Clock.uptimeNanoseconds
    let hasChanged = update()
    let time = self.microseconds(since: start)
    var dependencies: JSONObject = [:]
    for (index, name) in observation.source.dependencies.enumerated() {
      let isChanged = last[index] != observation.dependencyOutputs[index]
      dependencies[name] = .bool(dependencies[name] == true || isChanged)
    }
    self.write(observation, after: number, dependencies, isChanged: hasChanged, time, in: scope)
    return hasChanged
  }

  /// Writes the first evaluation of an observation.
  @inline(never)
  func beginning(_ observation: StoreObservation, since start: Int) {
    let time = self.microseconds(since: start)
    var dependencies: JSONObject = [:]
    for name in observation.source.dependencies {
      dependencies[name] = true
    }
    self.write(
      observation, after: observation.start, dependencies, isChanged: true, time, in: .current)
  }

  private func write(
    _ observation: StoreObservation, after number: Int, _ dependencies: JSONObject,
    isChanged: Bool, _ time: Value, in scope: CallScope
  ) {
    self.write("selector", in: scope) {
      var members = self.members(
        of: observation.selector, named: observation.source.selector, isChanged: isChanged,
        isChanged ? observation.output : nil, time)
      members.append(("number", .integer(Int64(number))))
      if let label = observation.options.label { members.append(("label", .string(label))) }
      if !dependencies.isEmpty { members.append(("dependencies", .object(dependencies))) }
      return members
    }
  }

  private func members(
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

extension ObservationOutput {
  func get() throws(EngineError) -> Value {
    switch self {
    case .value(let value): return value
    case .failure(let error): throw error
    }
  }
}

import ImmutableJSON
import Threading

extension Tracer {
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

  /// Writes that an observer was called.
  @inline(never)
  func delivered(to observation: StoreObservation, since start: Int, in scope: CallScope) {
    let time = self.microseconds(since: start)
    self.write("observer", in: scope) {
      var members: Members = [
        ("name", .string(observation.source.selector)), ("microseconds", time),
      ]
      if let label = observation.options.label { members.append(("label", .string(label))) }
      return members
    }
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
}

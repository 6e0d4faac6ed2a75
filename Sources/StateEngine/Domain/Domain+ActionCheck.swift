import ImmutableJSON

extension Domain {
  /// Throws ``EngineError`` (`invalidArgument`) if the description of an action contradicts
  /// ``Action``.
  ///
  /// Decodes samples of each described action, and encodes them again. A sample proves nothing if
  /// the type rejects only its content, such as a string that must be a UUID, or if a
  /// required property has the schema `any`; such an action is accepted.
  static func checkActions() throws(EngineError) {
    for description in self.actions {
      let payloads = description.payload.map { Schema.object($0).samples } ?? [[:]]
      for payload in payloads {
        guard let problem = try self.problem(of: description, with: payload) else { continue }
        throw self.contradiction(
          "describes the action \(quoted(description.type)), but its Action \(problem)")
      }
    }
    for group in self.actionGroups
    where !self.actions.contains(where: { group.rest(of: $0.type) != nil }) {
      throw self.contradiction(
        "has the action group \(quoted(group.type)), but describes no action of it; correct or "
          + "remove the group")
    }
  }

  private static func problem(
    of description: ActionDescription<Action>, with payload: Value
  ) throws(EngineError) -> String? {
    let action: Action
    do {
      action = try ActionDecoder<Action>.nested(description.type, payload).decode()
    } catch let error as DecodingError {
      return description.contradiction(
        error, after: ActionDecoder<Action>.path(description.type).count)
    } catch {
      return nil
    }
    guard let encoded = try self.unlessFailing({ try ActionEncoder.json(action) }),
      encoded["type"] == .string(description.type)
    else { return description.otherAction }
    if let (group, rest) = self.actionGroups.innermost(of: description.type) {
      let json = try self.unlessFailing {
        try ActionEncoder.json(group.decode(ActionDecoder<Action>.nested(rest, payload)))
      }
      guard let json, json == encoded else {
        return "differs from that of the action group \(quoted(group.type)); correct the group"
      }
    }
    guard case .object(let members) = payload else { return nil }
    let lost = members.first { $0.value != .null && encoded["payload"]?[$0.key] == nil }
    return lost.map {
      "has no associated value \(quoted($0.key)) for it; correct the description or the enum"
    }
  }
}

extension ActionDescription {
  /// A phrase for a sample that is encoded as another action.
  fileprivate var otherAction: String {
    // Swift encodes a value without a label as `_0`, which is also how it encodes a group.
    guard self.payload?.map(\.name) == ["_0"] else {
      return "encodes it as another action; correct the description or the enum"
    }
    return "has an associated value without a label for it; write case "
      + "\(self.caseName)(label: …), and describe the value by its label"
  }

  private var caseName: Substring {
    self.type.split(separator: "/").last ?? ""
  }

  /// A phrase for an error of decoding a sample; `nil` if it may be about the content of the sample
  /// rather than its shape, which the description determines.
  fileprivate func contradiction(_ error: DecodingError, after steps: Int) -> String? {
    guard error.contradicts(.object(self.payload ?? []), after: steps) else { return nil }
    guard error.path.count >= steps else {
      return "has no such case; correct the description or the enum"
    }
    if error.path.dropFirst(steps).elementsEqual(["_0"]) {
      let label = self.payload?.first?.name ?? "label"
      return "has an associated value without a label for it; write case "
        + "\(self.caseName)(\(label): …)"
    }
    let reason = error.reason(in: "payload", after: steps)
    return "does not decode it: \(reason); correct the description or the enum"
  }
}

extension DecodingError {
  /// Whether a sample of the schema cannot be decoded because of its shape, and not its content.
  ///
  /// - Parameter steps: How many steps of the path lead to the sample.
  func contradicts(_ schema: Schema, after steps: Int) -> Bool {
    guard case .dataCorrupted = self else { return true }
    guard case .oneOf = schema.part(at: self.path.dropFirst(steps)) else { return false }
    return true
  }
}

import ImmutableJSON

extension Expression {
  /// What is probably a mistake in this expression, because it can only be empty for a document:
  /// the members that nothing in the document has, and comparisons by `<` or `>` of text, which has
  /// no order in JMESPath.
  ///
  /// ```swift
  /// try Expression("todos[?lane == \"todo\"]").mistakes(in: state)
  /// // none of 3 objects has a member "todo"; it is the name of a member, because it stands in
  /// // double quotes: write 'todo' for the text
  /// ```
  ///
  /// An empty array or object says nothing about its elements. A member that an expression tests
  /// for absence, with `!`, `||`, `not_null` or a comparison with null, may be missing. At most
  /// 1,000 elements of each array and object are looked at, and 100,000 values in total.
  ///
  /// - Returns: A sentence for each, in the order of the expression.
  public func mistakes(in document: Value) -> [String] {
    var inspection = Inspection(text: self.text, document: document)
    _ = inspection.inspect(self.root, [document])
    return inspection.mistakes
  }
}

/// Evaluates the nodes of an expression on all values that may reach them, without conditions.
private struct Inspection {
  let text: String
  let document: Value
  var mistakes: [String] = []

  /// The values of the variables bound by the enclosing `let`s; `nil` for unknown ones.
  private var locals: [[Value]?] = []

  /// How many values may still be looked at.
  private var budget = 100_000

  init(text: String, document: Value) {
    self.text = text
    self.document = document
  }
}

extension Inspection {
  /// - Parameter samples: The values that may reach a node; `nil` if they are unknown.
  /// - Returns: The values that it may return; `nil` if they are unknown.
  mutating func inspect(_ node: Node, _ samples: [Value]?) -> [Value]? {
    self.budget -= 1 + (samples?.count ?? 0)
    guard self.budget > 0 else { return nil }
    switch node {
    case .current: return samples
    case .literal, .argument: return nil
    case .local(let level): return self.locals.indices.contains(level) ? self.locals[level] : nil
    case .field(let field): return samples.flatMap { self.members(field.key, of: $0) }
    case .index(let index): return self.known(samples?.compactMap { $0.element(at: index) })
    case .slice: return samples
    case .chain(let steps):
      var samples = samples
      for step in steps { samples = self.inspect(step, samples) }
      return samples
    case .list(let nodes), .and(let nodes): self.inspectAll(nodes, samples)
    case .hash(let members, _): self.inspectAll(members.map(\.node), samples)
    case .elements(let each): return self.project(each, self.elements(of: samples))
    case .values(let each): return self.project(each, self.values(of: samples))
    case .filter(let condition, let each):
      let elements = self.elements(of: samples)
      if !condition.node.testsAbsence { _ = self.inspect(condition.node, elements) }
      return self.project(each, elements)
    case .flatten: return self.flatten(samples)
    case .not(let node): self.checkOrder(node)
    case .or(let nodes):
      // The members before the last may be missing: that is what `||` is for.
      for node in nodes.dropLast() { self.checkOrder(node) }
      if let last = nodes.last { _ = self.inspect(last, samples) }
    case .comparison(_, let left, let right): self.inspect(node, left, right, samples)
    case .call(let call):
      if call.function != .notNull { self.inspect(call, samples) }
    case .bind(let nodes, let body):
      let values = nodes.map { self.inspect($0, samples) }
      self.locals += values
      defer { self.locals.removeLast(values.count) }
      return self.inspect(body, samples)
    }
    return nil
  }

  private mutating func inspectAll(_ nodes: [Node], _ samples: [Value]?) {
    for node in nodes { _ = self.inspect(node, samples) }
  }

  private mutating func inspect(_ call: Node.Call, _ samples: [Value]?) {
    guard let index = call.function.expressionIndex else {
      return self.inspectAll(call.arguments, samples)
    }
    // One argument is the expression, the other the array that it is evaluated for.
    var array: [Value]?
    for (other, argument) in call.arguments.enumerated() where other != index {
      array = self.inspect(argument, samples)
    }
    if call.arguments.indices.contains(index) {
      _ = self.inspect(call.arguments[index], self.elements(of: array))
    }
  }

  private mutating func inspect(
    _ comparison: Node, _ left: Node, _ right: Node, _ samples: [Value]?
  ) {
    guard !comparison.testsAbsence else { return self.checkOrder(comparison) }
    let values = self.inspect(left, samples)
    self.checkOrder(comparison, [values, self.inspect(right, samples)])
  }

  /// Finds a comparison of text by its order, which is null.
  ///
  /// - Parameter samples: The values that may reach its operands; empty if they are unknown.
  // Not inlined: each level of an expression would take more stack.
  @inline(never)
  private mutating func checkOrder(_ node: Node, _ samples: [[Value]?] = []) {
    guard case .comparison(let comparison, let left, let right) = node,
      let sign = comparison.orderSign
    else { return }
    let literals = [left, right].compactMap { operand -> String? in
      if case .literal(.string(let text)) = operand { "'\(text)' is text" } else { nil }
    }
    let texts = samples.compactMap { values -> String? in
      guard let values, values.allSatisfy({ if case .string = $0 { true } else { false } }) else {
        return nil
      }
      return "an operand is text such as '\(values.first?.string ?? "")'"
    }
    guard let text = literals.first ?? texts.first else { return }
    let (function, order) = sign.hasPrefix("<") ? ("min", "<=") : ("max", ">=")
    let mistake =
      "\(sign) compares only numbers, and \(text), so the result is null; for text, write "
      + "\(function)([a, b]) == a, which means a \(order) b"
    if !self.mistakes.contains(mistake) { self.mistakes.append(mistake) }
  }

  private mutating func project(_ each: Projected, _ samples: [Value]?) -> [Value]? {
    self.inspect(each.node, samples).map { [.array(JSONArray($0))] }
  }

  private mutating func members(_ key: ObjectKey, of samples: [Value]) -> [Value]? {
    var objects: [JSONObject] = []
    var values: [Value] = []
    for sample in samples {
      // An empty object says nothing about its members.
      guard case .object(let object) = sample, !object.isEmpty else { continue }
      objects.append(object)
      if let value = object[key] { values.append(value) }
    }
    if values.isEmpty, let mistake = self.mistake(key.text, objects, samples) {
      if !self.mistakes.contains(mistake) { self.mistakes.append(mistake) }
    }
    return self.known(values)
  }

  private func mistake(_ key: String, _ objects: [JSONObject], _ samples: [Value]) -> String? {
    let isText = self.text.contains(bytesOf: "\"\(key)\"")
    let isLiteral = ["true", "false", "null"].contains(key)
    let remedy: String? =
      if isLiteral, !isText {
        "; it is the name of a member: write `\(key)` for the value"
      } else if isText {
        "; it is the name of a member, because it stands in double quotes: write '\(key)' for the "
          + "text"
      } else {
        similarNameSuggestion(
          key, Array(Set(objects.prefix(8).flatMap { $0.prefix(256).map(\.key) })))
      }
    guard objects.isEmpty else {
      let subject =
        if samples.count == 1 {
          samples[0].isIdentical(to: self.document) ? "the state has no" : "the object has no"
        } else {
          "none of \(objects.count) objects has a"
        }
      return "\(subject) member \(quoted(key))\(remedy ?? "")"
    }
    guard case .array(let array)? = samples.first, !array.isEmpty else { return nil }
    return "an array has no member \(quoted(key)); write [].\(key) for that of its elements"
  }
}

// MARK: Samples

extension Inspection {
  /// Values, unless there are none: then nothing is known.
  private func known(_ values: [Value]?) -> [Value]? {
    values?.isEmpty == true ? nil : values
  }

  private mutating func elements(of samples: [Value]?) -> [Value]? {
    self.collect(samples) { if case .array(let array) = $0 { Array(array.prefix($1)) } else { [] } }
  }

  private mutating func values(of samples: [Value]?) -> [Value]? {
    self.collect(samples) {
      if case .object(let object) = $0 { object.prefix($1).map(\.value) } else { [] }
    }
  }

  /// One array with the elements of the arrays in all samples.
  private mutating func flatten(_ samples: [Value]?) -> [Value]? {
    let elements = self.elements(of: samples)
    let inner = self.elements(of: elements) ?? []
    let others = elements?.filter { if case .array = $0 { false } else { true } } ?? []
    return elements.map { _ in [.array(JSONArray(inner + others))] }
  }

  private mutating func collect(
    _ samples: [Value]?, _ parts: (Value, _ limit: Int) -> [Value]
  ) -> [Value]? {
    var collected: [Value] = []
    for sample in samples ?? [] where self.budget > 0 {
      let more = parts(sample, min(self.budget, 1_000))
      self.budget -= more.count + 1
      collected += more
    }
    return self.known(collected)
  }
}

extension Node {
  /// Whether it asks if something is missing: `!a`, or a comparison with null.
  fileprivate var testsAbsence: Bool {
    switch self {
    case .not: true
    case .comparison(_, .literal(.null), _), .comparison(_, _, .literal(.null)): true
    default: false
    }
  }
}

extension Comparison {
  /// The sign of a comparison that needs an order.
  fileprivate var orderSign: String? {
    switch self {
    case .equal, .notEqual: nil
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }
}

extension Value {
  fileprivate var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  fileprivate func element(at index: Int) -> Value? {
    guard case .array(let array) = self else { return nil }
    let position = index < 0 ? array.count &+ index : index
    return array.indices.contains(position) ? array[position] : nil
  }

}

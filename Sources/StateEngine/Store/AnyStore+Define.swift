import ImmutableJSON
import JMESPath
import Threading

extension AnyStore {
  /// Names a JMESPath expression, so that it can be selected, observed, and used as an input.
  ///
  /// A name can be defined again, except for one of the domain. Observers of it, and of selectors
  /// of which it is an input, have been called when this returns; inside a callback while another
  /// thread calls observers, that thread calls them.
  ///
  /// - Throws: ``EngineError``: `invalidArgument` if the name is empty or of the domain;
  ///   `invalidSelector`; `limit`.
  public func define(_ name: String, _ expression: String) throws(EngineError) {
    try self.enter(.use)
    let compiled = try self.expressions.compile(expression)
    self.complete(try self.graph.define(name, compiled))
  }

  /// Names a function, so that it can be selected, observed, and used as an input.
  ///
  /// ```swift
  /// try store.define("total", FunctionOptions(inputs: ["prices", "rate"])) { inputs, _ in
  ///   let prices = try inputs[0].decode([Int64].self)
  ///   return .integer(prices.reduce(0, +) * (try inputs[1].decode(Int64.self)))
  /// }
  /// try store.select("total")  // 12
  /// ```
  ///
  /// The function is called when one of its inputs has changed. If it returns an equal value, its
  /// output has not. It takes the arguments of `options`; the selector also takes those of its
  /// inputs. A name can be defined again, as with ``define(_:_:)``.
  ///
  /// - Parameters:
  ///   - name: As for ``define(_:_:)``.
  ///   - options: The inputs and arguments.
  ///   - release: Called once, when the function will not be called again. Not called if this
  ///     throws.
  ///   - body: Pure. It may run on several threads at once, and again for the same inputs. It must
  ///     not use this store, nor dispatch to any: the evaluation then throws `reentrant`.
  /// - Throws: ``EngineError``: `invalidArgument` if the name is empty or of the domain, or the
  ///   function would be its own input; `invalidSelector` if an input is neither a selector nor an
  ///   expression; `limit`.
  public func define(
    _ name: String, _ options: FunctionOptions, release: @escaping @Sendable () -> Void = {},
    _ body: @escaping SelectorBody
  ) throws(EngineError) {
    try self.enter(.use)
    let function = SelectorFunction(
      options, self.commits, release: release, self.strict?.checking(body, of: name) ?? body)
    self.complete(try self.graph.define(name, function))
  }

  /// Evaluates the observations of what was replaced.
  private func complete(_ replacement: SelectorGraph.Replacement?) {
    guard let replacement else { return }
    self.outputs.removeAll(generation: self.graph.generation)
    self.observations.rebind(replacement.names) { replacement.function?.cancel() }
    // That was inside a callback, where it does not wait for a call in progress.
    if !CallScope.isInsideCallback { replacement.function?.cancel() }
  }
}

extension AnyStore {
  /// Describes the store: what ``DomainRegistry/descriptions`` says of its domain, or what its
  /// option `schema` has, and the selectors that were defined.
  public func description() throws(EngineError) -> Value {
    try self.enter(.use, evenIfClosed: true)
    var members = self.implementation.model.description
    let arguments = self.graph.schema?.json["arguments"]
    let defined = self.graph.defined.map {
      $0.selector.json(named: $0.name, arguments: arguments?[$0.name])
    }
    var selectors: JSONArray = if case .array(let own)? = members["selectors"] { own } else { [] }
    for selector in defined {
      selectors.append(selector)
    }
    members["selectors"] = .array(selectors)
    return .object(members)
  }
}

extension StoreExpression {
  fileprivate var json: [(String, Value)] {
    let obstacle = self.expression.incrementalObstacle
    return [
      ("expression", .string(self.text)), ("incremental", .bool(obstacle == nil)),
    ] + (obstacle.map { [("because", .string($0))] } ?? [])
  }
}

extension NamedSelector {
  /// - Parameter arguments: The schema of the arguments; `nil` for one of their names.
  fileprivate func json(named name: String, arguments: Value?) -> Value {
    let arguments =
      arguments ?? Schema.object(self.argumentNames.map { Schema.Property($0, .any, "") }).json
    let members: [(String, Value)] =
      switch self {
      case .domain: []
      case .expression(let expression): expression.json
      case .function(let selector): selector.function.options.json
      }
    return .object(
      JSONObject([("name", .string(name)), ("arguments", arguments)] + members))
  }
}

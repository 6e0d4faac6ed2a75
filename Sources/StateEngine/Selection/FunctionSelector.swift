import ImmutableJSON
import JMESPath

/// A selector that was defined with a name, or belongs to the domain. Indirect, as
/// ``BoundSelector`` is.
indirect enum NamedSelector: Sendable {
  case domain(DomainSelector)
  case expression(StoreExpression)
  case function(FunctionSelector)
}

extension NamedSelector {
  /// The names of the arguments that it takes.
  var argumentNames: [String] {
    switch self {
    case .domain(let selector): selector.argumentNames
    case .expression(let expression): expression.expression.variables
    case .function(let selector): selector.argumentNames
    }
  }

  /// Binds the selector to its arguments.
  ///
  /// - Throws: ``EngineError``: `invalidArgument` if the arguments are not those that it takes. A
  ///   selector of a domain checks them when it is evaluated.
  func bind(_ arguments: Value, _ budget: WorkBudget) throws(EngineError) -> BoundSelector {
    switch self {
    case .domain(let selector): .domain(selector, arguments: arguments)
    case .expression(let expression): try BoundSelector(expression, arguments, budget)
    case .function(let selector): .function(try FunctionCall(selector, arguments, budget))
    }
  }

  /// The number of function selectors on the longest path from this one to the state.
  var depth: Int {
    if case .function(let selector) = self { selector.depth } else { 0 }
  }
}

/// A selector that is a function of the program, with the selectors that are its inputs. Immutable:
/// if an input is redefined, another one with the same function replaces it.
final class FunctionSelector: Sendable {
  struct Input {
    /// `nil` for an expression that is none of the selectors.
    let name: String?
    let selector: NamedSelector
  }

  let name: String
  let function: SelectorFunction

  /// In the order of the parameters of the function.
  let inputs: [Input]

  /// The names of the arguments of the function, and of those of its inputs.
  let argumentNames: [String]

  let depth: Int

  /// The maximum of ``depth``, because evaluation is recursive.
  static var maxDepth: Int { 64 }

  /// - Throws: ``EngineError`` (`limit`) if the selectors nest too deep.
  init(
    _ name: String, _ function: SelectorFunction, inputs: [Input]
  ) throws(EngineError) {
    self.name = name
    self.function = function
    self.inputs = inputs
    self.argumentNames =
      Set(function.options.arguments + inputs.flatMap(\.selector.argumentNames)).sorted()
    self.depth = 1 + (inputs.map(\.selector.depth).max() ?? 0)
    guard self.depth <= Self.maxDepth else {
      throw EngineError(
        .limit,
        "the selector \(quoted(name)): its inputs nest deeper than \(Self.maxDepth) functions")
    }
  }
}

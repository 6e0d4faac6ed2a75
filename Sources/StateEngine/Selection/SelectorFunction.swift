import ImmutableData
import ImmutableJSON
import Threading

/// The inputs and arguments of a selector that is a function of the program.
public struct FunctionOptions: Sendable {
  /// Names of selectors, or expressions over the state. If there are none, and no ``each``, the
  /// function gets the state.
  public var inputs: [String] = []

  /// An input that is an array or object. The function is called for each element or member, which
  /// it gets before the other inputs, and the output has its results.
  public var each: String?

  /// The names of the arguments that the function gets.
  public var arguments: [String] = []

  public init(inputs: [String] = [], each: String? = nil, arguments: [String] = []) {
    (self.inputs, self.each, self.arguments) = (inputs, each, arguments)
  }
}

extension FunctionOptions {
  /// The names or expressions of all inputs, in the order of the parameters of the function.
  var allInputs: [String] {
    let inputs = [self.each].compactMap(\.self) + self.inputs
    return inputs.isEmpty ? ["@"] : inputs
  }
}

extension FunctionOptions {
  /// Reads options that are a JSON object, or `nil` for none.
  public init(_ options: Value?) throws(EngineError) {
    self.init()
    guard let options else { return }
    try Schema.object(Self.properties).check(options, "options")
    self.inputs = options["inputs"]?.strings ?? []
    self.each = options["each"]?.string
    self.arguments = options["arguments"]?.strings ?? []
  }

  private static var properties: [Schema.Property] {
    [
      .init(
        "inputs", .array(.string), isRequired: false,
        "Names of selectors, or expressions over the state."),
      .init(
        "each", .string, isRequired: false,
        "An input; the function is called for each of its elements or members."),
      .init(
        "arguments", .array(.string), isRequired: false,
        "The names of the arguments that the function gets."),
    ]
  }

  var json: [(String, Value)] {
    [("inputs", .strings(self.inputs))] + (self.each.map { [("each", .string($0))] } ?? [])
  }
}

extension Value {
  static func strings(_ strings: [String]) -> Value {
    .array(JSONArray(strings.map { .string($0) }))
  }
}

/// A function of the program that computes the output of a selector. Pure. It may run on several
/// threads at once.
public typealias SelectorBody = @Sendable (_ inputs: [Value], _ arguments: Value) throws -> Value

/// A function of the program with its options, and what it returned last for each arguments.
///
/// It stays the same when one of its inputs is redefined.
final class SelectorFunction: Sendable {
  fileprivate final class Call {
    let inputs: [Value]
    let arguments: Value
    var output: Result<Value, any Error>?

    init(_ inputs: [Value], _ arguments: Value) {
      (self.inputs, self.arguments) = (inputs, arguments)
    }
  }

  let options: FunctionOptions

  private let body: SelectorBody
  private let release: @Sendable () -> Void
  /// The commits of the store that the function must not use.
  private let commits: CommitSequence
  private let memos = Mutex(FunctionMemos())

  /// `nil` until the selector is defined. Set before another thread can see this object.
  private nonisolated(unsafe) var callback: Callback<Call>?

  /// - Parameter release: Called once, when the function will not be called again. Not called
  ///   before ``begin()``.
  init(
    _ options: FunctionOptions, _ commits: CommitSequence, release: @escaping @Sendable () -> Void,
    _ body: @escaping SelectorBody
  ) {
    self.options = options
    self.commits = commits
    self.release = release
    self.body = body
  }
}

extension SelectorFunction {
  /// Takes ownership of the context.
  func begin() {
    let (body, commits) = (self.body, self.commits)
    self.callback = Callback(
      { call in
        call.output = Result {
          try CallScope.current.pureFunction(.selector, of: commits) {
            try body(call.inputs, call.arguments)
          }
        }
      }, release: self.release)
  }

  /// Prevents further calls, and waits for those in progress except inside a callback.
  func cancel() {
    self.callback?.cancel()
  }

  /// Calls the function.
  ///
  /// - Parameter subject: The selector and the element, for messages.
  /// - Throws: ``EngineError``: `closed` if it was cancelled; the function's own error;
  ///   `reentrant`.
  func call(
    _ inputs: [Value], _ arguments: Value, _ subject: @autoclosure () -> String
  ) throws(EngineError) -> Value {
    let call = Call(inputs, arguments)
    guard self.callback?.call(call) == true, let output = call.output else { throw .closed }
    do {
      return try output.get()
    } catch let error as ReentrancyError {
      throw EngineError(.reentrant, "\(subject()): \(error)")
    } catch let error as EngineError {
      var error = error
      error.message = "\(subject()): \(error.message)"
      throw error
    } catch {
      throw EngineError(.invalidSelector, "\(subject()): \(error)")
    }
  }

  /// The memo for some arguments.
  func memo(for arguments: Value) -> FunctionMemo {
    let (memo, unused) = self.memos.withLock { $0.memo(for: arguments) }
    withExtendedLifetime(unused) {}
    return memo
  }

  /// Notes that a memo keeps other values.
  func use(_ memo: FunctionMemo, _ inputs: [Value], _ arguments: Value, _ output: Value) {
    var bytes = arguments.estimatedMemory + output.estimatedMemory
    for input in inputs { bytes += input.estimatedMemory }
    let unused = self.memos.withLock { $0.use(memo, bytes) }
    withExtendedLifetime(unused) {}
  }
}

import ImmutableJSON
import Threading

/// The functions of the program that perform effects, by name.
///
/// ```swift
/// let functions = EffectFunctions()
/// functions.set("roll") { task in
///   try? task.resolve(.integer(Int64.random(in: 1...6)))
/// }
/// ```
public final class EffectFunctions: Sendable {
  /// `nil` after ``close()``.
  private let functions = Mutex<[StringKey: CallbackSlot<EffectTask>]?>([:])

  /// The names of the effects that the domain lists; `nil` if there is no domain.
  private let listed: Set<StringKey>?

  /// Functions for effects of any name.
  public init() {
    self.listed = nil
  }

  /// Functions for the effects that a domain lists.
  init(listed: [String]) {
    self.listed = Set(listed.map(StringKey.init))
  }

  deinit {
    self.close()
  }
}

extension EffectFunctions {
  /// Sets the function that performs the effects with a name from now on.
  ///
  /// - Parameters:
  ///   - name: The name of the effects.
  ///   - release: Called once, when the function will not be called again.
  ///   - function: Called on a thread of the engine, for one effect of a store at a time. It starts
  ///     the effect and returns; any thread may end the effect.
  public func set(
    _ name: String, release: @escaping @Sendable () -> Void = {},
    _ function: @escaping @Sendable (EffectTask) -> Void
  ) {
    let function = Callback(function, release: release)
    let slot = self.functions.withLock { functions -> CallbackSlot<EffectTask>? in
      let slot = functions?[StringKey(name)] ?? CallbackSlot()
      functions?[StringKey(name)] = slot
      return functions == nil ? nil : slot
    }
    if let slot { slot.use(function) } else { function.cancel() }
  }

  /// Removes the function for a name. Effects in flight can still be ended.
  public func remove(_ name: String) {
    self.functions.withLock { $0?.removeValue(forKey: StringKey(name)) }?.close()
  }

  /// Whether the domain lists an effect. Without a domain every name is accepted.
  func isListed(_ name: String) -> Bool {
    self.listed?.contains(StringKey(name)) ?? true
  }

  /// Throws ``EngineError`` (`invalidArgument`) if no effect can have this name.
  func check(_ name: String) throws(EngineError) {
    guard !name.isEmpty else {
      throw EngineError(.invalidArgument, "the name of an effect must not be empty")
    }
    guard let listed, !listed.contains(StringKey(name)) else { return }
    throw EngineError(
      .invalidArgument,
      listed.isEmpty
        ? "unknown effect \(quoted(name)): this store asks the program for no effects"
        : "unknown effect \(quoted(name))\(suggestion(name, listed.map(\.text)))")
  }

  /// Removes all functions for good.
  func close() {
    for slot in (self.functions.withLock { $0.take() } ?? [:]).values {
      slot.close()
    }
  }

  /// Calls the function for an effect.
  func start(_ task: EffectTask) {
    guard task.begin() else { return }
    let functions = self.functions.withLock { $0 } ?? [:]
    guard functions[StringKey(task.name)]?.call(task) != true else { return }
    let known = functions.filter { $0.value.current != nil }.keys.sorted().map(\.text)
    task.end(.noFunction(task.name, known: known))
  }
}

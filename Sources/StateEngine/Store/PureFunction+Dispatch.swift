import Threading

extension CallScope.PureFunction {
  /// Throws if the calling thread is inside a function that must not dispatch. The function then
  /// fails, even if it ignores the error.
  static func refuseDispatch() throws(EngineError) {
    guard let function = CallScope.currentPureFunction else { return }
    let error = EngineError(.reentrant, function.dispatchProblem)
    CallScope.recordViolation(ofPureFunction: error)
    throw error
  }

  private var dispatchProblem: String {
    switch self {
    case .rule:
      "a rule dispatched an action; return an effect whose outcome is the action instead"
    case .comparison:
      "the comparison of an observer dispatched an action; dispatch in the observer instead"
    case .filter:
      "the filter of an observer dispatched an action; dispatch in the observer instead"
    }
  }
}

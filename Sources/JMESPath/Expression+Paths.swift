import ImmutableJSON

extension Expression {
  /// The paths that it can read under if its variables have these values.
  public func paths(with arguments: JSONObject) -> [Path] {
    self.paths
  }
}

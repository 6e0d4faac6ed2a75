import ImmutableData
import ImmutableJSON

extension OptimisticUpdate {
  /// Decodes the `meta` of an action: `{"optimistic": {"begin": "17"}}`, or `succeed` or `fail`
  /// instead of `begin`. `nil` without a member `optimistic`.
  ///
  /// - Throws: ``EngineError``: `invalidAction` if `optimistic` has another shape.
  init?(metaOf action: Value) throws(EngineError) {
    guard let optimistic = action["meta"]?["optimistic"] else { return nil }
    do {
      try Schema.object(Self.members).check(optimistic, "meta/optimistic")
    } catch {
      throw EngineError(.invalidAction, "\(error)")
    }
    let found = [
      optimistic["begin"]?.string.map(Self.begins),
      optimistic["succeed"]?.string.map(Self.succeeds),
      optimistic["fail"]?.string.map(Self.fails),
    ].compactMap { $0 }
    guard let optimisticUpdate = found.first, found.count == 1 else {
      throw EngineError(
        .invalidAction,
        "meta/optimistic: found \(found.count) members"
          + suggestion("", Self.members.map(\.name)))
    }
    self = optimisticUpdate
  }

  private static var members: [Schema.Property] {
    [
      .init("begin", .string, isRequired: false, "The key of a change that is in flight from now."),
      .init("succeed", .string, isRequired: false, "The key of a change whose effect succeeded."),
      .init("fail", .string, isRequired: false, "The key of a change whose effect failed."),
    ]
  }
}

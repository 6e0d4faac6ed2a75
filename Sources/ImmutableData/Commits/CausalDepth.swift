import Threading

/// Observers dispatched in a circle: a dispatch inside an observer was the end of a chain of
/// dispatches, each inside an observer of the one before, that exceeds the limit of its store; or
/// too many commits waited for that observer. It had no effect.
public struct CausalDepthError: Error, Hashable {
  /// How many dispatches may follow from one that is not inside an observer.
  public let limit: Int

  /// How many commits waited for the observer, if these were too many.
  public let waiting: Int?

  /// The last observers of the chain, each with what it was called for.
  let steps: [String]
}

extension CausalDepthError: CustomStringConvertible {
  public var description: String {
    var last: [String] = []
    for step in self.steps where !last.contains(step) { last.append(step) }
    let circle = self.waiting.map { "and \($0) actions wait for them" } ?? "\(self.limit) deep"
    // First what to do, because the message may be cut.
    return "observers dispatch in a circle, \(circle); compare before you dispatch, or raise the "
      + "option \"depth\"; the last: \(last.joined(separator: ", "))"
  }
}

/// A dispatch inside a delivery, for the message of ``CausalDepthError``.
struct Cause {
  /// How many of them a message names.
  static var limit: Int { 8 }

  let depth: Int32
  /// The observer that dispatched.
  let step: String
}

extension CommitSequence {
  package static var defaultDepthLimit: Int { 1000 }

  /// Checks the depth of a dispatch of the program that begins inside a callback. Called without
  /// locks.
  ///
  /// - Returns: The depth that its commits get.
  /// - Throws: ``CausalDepthError`` if it exceeds the limit.
  // Not inlined: it would make the other dispatches longer.
  @inline(never)
  func checkDepth(in scope: CallScope) throws -> Int32 {
    guard let commit = scope.deliveredCommit, let sequence = scope.delivery.sequence else {
      return 0
    }
    let depth = commit.depth + 1
    let source = Unmanaged<CommitSequence>.fromOpaque(sequence).takeUnretainedValue()
    // If each delivery leads to two dispatches, the chains stay short, but ever more commits wait.
    let waiting = source.number - commit.number
    if waiting > 100 * self.depthLimit { source.lastOfCircle = source.number }
    let isBroad = commit.number <= source.lastOfCircle
    guard isBroad || depth > self.depthLimit - Cause.limit else { return depth }
    let causes = source.causes(of: depth, commit)
    guard !isBroad, depth <= self.depthLimit else {
      throw CausalDepthError(
        limit: self.depthLimit, waiting: isBroad ? waiting : nil, steps: causes.map(\.step))
    }
    self.access.lock()
    self.causes = causes
    self.access.unlock()
    return depth
  }

  /// The end of the chain that leads to a dispatch in a delivery of this store.
  private func causes(of depth: Int32, _ commit: AnyCommit) -> [Cause] {
    self.access.lock()
    let (causes, readers) = (self.causes, self.notifiedReaders)
    self.access.unlock()
    let step = readers.lazy.compactMap { $0.describe?(commit) }.first
    return causes.filter { $0.depth < depth }.suffix(Cause.limit - 1)
      + [Cause(depth: depth, step: step ?? "a subscriber")]
  }
}

extension CallScope {
  /// The commit that the calling thread passes to its readers, if it does.
  var deliveredCommit: AnyCommit? {
    self.delivery.commit.map { Unmanaged<AnyCommit>.fromOpaque($0).takeUnretainedValue() }
  }
}

import ImmutableData
import ImmutableJSON

/// The observations of a domain's store, by the parts of the state that their selectors declare.
///
/// A part, and each element of it that is read, is compared once per action, regardless of the
/// number of observations.
struct PartIndex<State: Encodable & Sendable>: ObservationIndex {
  private let selectors: [StringKey: SelectorDescription<State>]
  private let encoding: any CommitEncoding.Type
  private typealias Part = StatePart<State>

  /// Observations by their numbers.
  private typealias Observations = [Int: StoreObservation]

  private var observers: [Part: [Part.Scope: Observations]] = [:]

  /// The observations that may read the whole state, such as those of expressions.
  private var wholeStateObservers: Observations = [:]

  init(
    selectors: [StringKey: SelectorDescription<State>], encoding: any CommitEncoding.Type
  ) {
    self.selectors = selectors
    self.encoding = encoding
  }
}

extension PartIndex {
  mutating func insert(_ observation: StoreObservation) {
    let number = observation.number
    guard let parts = self.parts(observation.triggers) else {
      self.wholeStateObservers[number] = observation
      return
    }
    for (part, scope) in parts {
      self.observers[part, default: [:]][scope, default: [:]][number] = observation
    }
  }

  mutating func remove(_ observation: StoreObservation) {
    let number = observation.number
    self.wholeStateObservers[number] = nil
    for (part, scope) in self.parts(observation.triggers) ?? [] {
      self.observers[part]?[scope]?[number] = nil
      if self.observers[part]?[scope]?.isEmpty == true {
        self.observers[part]?[scope] = nil
      }
      if self.observers[part]?.isEmpty == true {
        self.observers[part] = nil
      }
    }
  }

  func search(
    from first: AnyCommit, to last: AnyCommit, _ affected: inout [AffectedObservation]
  ) -> RestOfSearch? {
    guard let old = self.encoding.oldState(of: first) as? DomainSnapshot<State>,
      let new = self.encoding.newState(of: last) as? DomainSnapshot<State>
    else { return nil }
    return { [wholeStateObservers, observers] affected in
      affected += wholeStateObservers.values.lazy.map { AffectedObservation(observation: $0) }
      for (part, scopes) in observers {
        guard let hasChanged = part.changes(old.state, new.state) else { continue }
        for (scope, observations) in scopes where hasChanged(scope) {
          affected += observations.values.lazy.map { AffectedObservation(observation: $0) }
        }
      }
    }
  }

  func search(
    _ edits: AnyObject, in state: UnsafeRawPointer, _ affected: inout [AffectedObservation]
  ) {
    // The reducer of a domain makes all changes itself.
  }

  /// The parts that the selectors read; `nil` for the whole state.
  private func parts(_ selectors: [BoundSelector]) -> [(Part, Part.Scope)]? {
    var parts: [(Part, Part.Scope)] = []
    for selector in selectors.lazy.flatMap(\.leaves) {
      guard case .domain(let selector, let arguments) = selector,
        let reads = self.selectors[StringKey(selector.name)]?.reads
      else { return nil }
      parts += reads.map { ($0, $0.scope(for: arguments)) }
    }
    return parts
  }
}

extension DomainModel: IndexedModel {
  var selectors: [StringKey: DomainSelector] {
    self.descriptions.mapValues { DomainSelector($0) }
  }

  func makeIndex() -> any ObservationIndex {
    PartIndex(selectors: self.descriptions, encoding: ModelEncoding<Self>.self)
  }
}

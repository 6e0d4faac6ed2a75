/// The observations of a domain's store, by the parts of the state that their selectors declare.
///
/// A part is compared once per action, regardless of the number of observations.
struct PartIndex<State: Encodable & Sendable>: ObservationIndex {
  private let selectors: [String: SelectorDescription<State>]
  private var observers: [StatePart<State>: Set<Int>] = [:]

  /// The observations that may read the whole state, such as those of expressions.
  private var wholeStateObservers: Set<Int> = []

  init(selectors: [String: SelectorDescription<State>]) {
    self.selectors = selectors
  }
}

extension PartIndex {
  mutating func insert(_ number: Int, reading selectors: [BoundSelector]) {
    guard let parts = self.parts(selectors) else {
      self.wholeStateObservers.insert(number)
      return
    }
    for part in parts {
      self.observers[part, default: []].insert(number)
    }
  }

  mutating func remove(_ number: Int, reading selectors: [BoundSelector]) {
    self.wholeStateObservers.remove(number)
    for part in self.parts(selectors) ?? [] {
      self.observers[part]?.remove(number)
      if self.observers[part]?.isEmpty == true {
        self.observers[part] = nil
      }
    }
  }

  func search(from old: any Snapshot, to new: any Snapshot) -> () -> Set<Int> {
    guard let old = old as? DomainSnapshot<State>, let new = new as? DomainSnapshot<State> else {
      return { [] }
    }
    return { [wholeStateObservers, observers] in
      observers.reduce(into: wholeStateObservers) { affected, entry in
        if !entry.key.isEqual(in: old.state, new.state) {
          affected.formUnion(entry.value)
        }
      }
    }
  }

  /// The parts that the selectors read; `nil` for the whole state.
  private func parts(_ selectors: [BoundSelector]) -> [StatePart<State>]? {
    var parts: [StatePart<State>] = []
    for selector in selectors {
      guard case .domain(let selector, _) = selector,
        let reads = self.selectors[selector.name]?.reads
      else { return nil }
      parts += reads
    }
    return parts
  }
}

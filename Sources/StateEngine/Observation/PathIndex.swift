import ImmutableData
import ImmutableJSON
import JMESPath

/// The observations of a store of a JSON value, by the paths that they read.
///
/// The paths form a tree. A search walks it together with the changed parts of the state, and skips
/// paths under which nothing changed. The cost of a node is a small constant, or proportional to
/// the number of changed members; it does not depend on the number of paths.
///
/// The paths of many observations are seldom in a CPU cache. So a path that one observation reads
/// has no node, unless longer paths are read: the entry of its last key refers to the observation.
struct PathIndex: ObservationIndex {
  /// Guarded by the lock that guards the index.
  private let root = Node()

  /// The observations that read the history, which any commit may change.
  private var historyObservations: [Int: StoreObservation] = [:]
}

extension PathIndex {
  mutating func insert(_ observation: StoreObservation) {
    if Self.readHistory(observation.triggers) {
      self.historyObservations[observation.number] = observation
    }
    for path in Self.paths(observation.triggers) {
      self.root.insert(observation, at: path.keys[...])
    }
  }

  mutating func remove(_ observation: StoreObservation) {
    self.historyObservations[observation.number] = nil
    for path in Self.paths(observation.triggers) {
      self.root.remove(observation, at: path.keys[...])
    }
  }

  func search(
    from first: AnyCommit, to last: AnyCommit, _ affected: inout [AffectedObservation]
  ) -> RestOfSearch? {
    self.root.collect(
      ValueModel.commit(first).oldState, ValueModel.commit(last).newState, into: &affected)
    if !self.historyObservations.isEmpty {
      affected += self.historyObservations.values.lazy.map { AffectedObservation(observation: $0) }
    }
    return nil
  }

  func search(
    _ edits: AnyObject, in state: UnsafeRawPointer, _ affected: inout [AffectedObservation]
  ) {
    let edits = unsafeDowncast(edits, to: ValueEdits.self)
    let state = BorrowedValue(state.assumingMemoryBound(to: Value.self))
    edits.forEachPath { path, changesNull in
      self.root.collect(path, in: state, changesNull: changesNull, into: &affected)
    }
    // The last edit of a path may restore what was there before the first.
    guard edits.count > 1 else { return }
    for index in affected.indices { affected[index].isNew = false }
  }

  private static func readHistory(_ selectors: [BoundSelector]) -> Bool {
    selectors.lazy.flatMap(\.leaves).contains { selector in
      // A store of a JSON value has no other selectors of a domain.
      if case .domain = selector { true } else { false }
    }
  }

  private static func paths(_ selectors: [BoundSelector]) -> [Path] {
    selectors.flatMap(\.leaves).flatMap { selector -> [Path] in
      if case .expression(let expression, let arguments, _) = selector {
        expression.expression.paths(with: arguments)
      } else {
        []
      }
    }
  }
}

extension ValueModel: IndexedModel {
  var selectors: [StringKey: DomainSelector] {
    [:]
  }

  func makeIndex() -> any ObservationIndex {
    PathIndex()
  }
}

// MARK: Nodes

extension PathIndex {
  /// A node of the tree of paths. The recursion is as deep as the longest path.
  fileprivate final class Node: @unchecked Sendable {
    /// The observations that read this path, by their numbers.
    private var observations: [Int: StoreObservation] = [:] {
      didSet { self.isRead = !self.observations.isEmpty }
    }

    /// Whether an observation reads this path. Faster to read than the dictionary.
    private var isRead = false

    /// The children, while they are few: to compare a few keys is faster than to hash one.
    private var few: [Child] = []

    /// The children, once they were many. A set, because it stores a key and its content together;
    /// a dictionary does not.
    private var many: Set<Child>?

    private static var maxFew: Int { 8 }
  }

  /// What is below a node at a key.
  fileprivate struct Child {
    let key: StringKey
    private let prefix: UInt64
    let content: Content?

    init(_ key: StringKey, _ content: Content? = nil) {
      self.key = key
      self.prefix = key.text.bytePrefix
      self.content = content
    }

    init(_ key: KeyBytes) {
      self.key = StringKey(String(decoding: key.bytes, as: UTF8.self))
      self.prefix = key.prefix
      self.content = nil
    }

    func hasKey(_ key: KeyBytes) -> Bool {
      guard self.prefix == key.prefix else { return false }
      // A prefix has all bytes of a short key.
      return key.bytes.count > 8
        ? self.key.hasSameBytes(as: key.bytes) : self.key.text.utf8.count == key.bytes.count
    }

    enum Content {
      /// The only observation that reads this path. None reads a longer one.
      case observation(StoreObservation)
      case node(Node)
    }

    /// A content that is not retained. It is valid until the child is removed.
    enum BorrowedContent {
      case observation(Unmanaged<StoreObservation>)
      case node(Unmanaged<Node>)
    }

    var borrowedContent: BorrowedContent? {
      switch self.content {
      case .observation(let observation): .observation(.passUnretained(observation))
      case .node(let node): .node(.passUnretained(node))
      case nil: nil
      }
    }
  }
}

extension PathIndex.Child: Hashable {
  static func == (left: Self, right: Self) -> Bool {
    left.key == right.key
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(self.key)
  }
}

extension PathIndex.Node {
  fileprivate func insert(_ observation: StoreObservation, at path: ArraySlice<String>) {
    guard let key = path.first.map(StringKey.init) else {
      self.observations[observation.number] = observation
      return
    }
    let content = self.content(at: key)
    if content == nil, path.count == 1 {
      self.setContent(.observation(observation), at: key)
      return
    }
    let node: PathIndex.Node
    switch content {
    case .node(let existing): node = existing
    case .observation(let other):
      node = PathIndex.Node()
      node.insert(other, at: [])
      self.setContent(.node(node), at: key)
    case nil:
      node = PathIndex.Node()
      self.setContent(.node(node), at: key)
    }
    node.insert(observation, at: path.dropFirst())
  }

  fileprivate func remove(_ observation: StoreObservation, at path: ArraySlice<String>) {
    guard let key = path.first.map(StringKey.init) else {
      self.observations[observation.number] = nil
      return
    }
    switch self.content(at: key) {
    case .observation(let other) where other === observation: self.setContent(nil, at: key)
    case .node(let node):
      node.remove(observation, at: path.dropFirst())
      if node.isEmpty { self.setContent(nil, at: key) }
    case .observation, nil: break
    }
  }

  private var isEmpty: Bool {
    self.observations.isEmpty && !self.hasChildren
  }

  private var hasChildren: Bool {
    self.many == nil ? !self.few.isEmpty : self.many?.isEmpty == false
  }

  private func content(at key: StringKey) -> PathIndex.Child.Content? {
    let child = PathIndex.Child(key)
    guard let many = self.many else { return self.few.first { $0 == child }?.content }
    return many.firstIndex(of: child).flatMap { many[$0].content }
  }

  /// The content of the child at a key, if there is one.
  private func borrowContent(at key: KeyBytes) -> PathIndex.Child.BorrowedContent? {
    if let many = self.many {
      let child = PathIndex.Child(key)
      return many.firstIndex(of: child).flatMap { many[$0].borrowedContent }
    }
    return self.few.withUnsafeBufferPointer { children in
      // By index, because iterating would copy each element.
      for index in children.indices where children[index].hasKey(key) {
        return children[index].borrowedContent
      }
      return nil
    }
  }

  /// - Parameter content: `nil` removes the child.
  private func setContent(_ content: PathIndex.Child.Content?, at key: StringKey) {
    let child = PathIndex.Child(key, content)
    self.few.removeAll { $0 == child }
    self.many?.remove(child)
    guard content != nil else { return }
    if self.many == nil {
      guard self.few.count == Self.maxFew else { return self.few.append(child) }
      self.many = Set(self.few)
      self.few = []
    }
    self.many?.insert(child)
  }
}

// MARK: Searching

extension PathIndex.Node {
  /// Collects the observations that read, at this node or below, something that differs between the
  /// values.
  fileprivate func collect(
    _ old: Value, _ new: Value, into affected: inout [AffectedObservation]
  ) {
    guard !old.isIdentical(to: new) else { return }
    for observation in self.observations.values {
      affected.append(AffectedObservation(observation: observation, value: new))
    }
    guard self.hasChildren else { return }
    if old.isNull != new.isNull {
      // Every path below depends on whether this value is null.
      self.collectAll(into: &affected)
      return
    }
    // A few children are looked up directly. For many, only the changed members are visited.
    if self.many == nil {
      let (oldMembers, newMembers) = (old.members, new.members)
      for child in self.few {
        oldMembers.withChange(of: child.key.text, to: newMembers) { old, new in
          child.content?.collect(old ?? .null, new ?? .null, into: &affected)
        }
      }
    } else {
      old.members.forEachChange(to: new.members) { key, old, new in
        self.content(at: StringKey(key))?.collect(old ?? .null, new ?? .null, into: &affected)
      }
    }
  }

  /// Collects the observations that read, at this node or below, the part at a path of a value, a
  /// scalar that has replaced another one.
  ///
  /// - Parameter changesNull: Whether one of them was null.
  fileprivate func collect(
    _ path: NodePath, in value: BorrowedValue, changesNull: Bool,
    into affected: inout [AffectedObservation]
  ) {
    if self.isRead {
      for observation in self.observations.values {
        affected.append(
          AffectedObservation(observation: observation, value: value.value, isNew: true))
      }
    }
    if path.isEmpty {
      // Every path below depends only on whether this value is null.
      if changesNull { self.collectAll(into: &affected) }
      return
    }
    var rest = path
    guard let (key, member) = value.member(on: &rest) else { return }
    switch self.borrowContent(at: key) {
    case .node(let node):
      node._withUnsafeGuaranteedRef {
        $0.collect(rest, in: member, changesNull: changesNull, into: &affected)
      }
    case .observation(let observation):
      affected.append(
        AffectedObservation(
          observation: observation.takeUnretainedValue(), value: member.value, isNew: true))
    case nil: break
    }
  }

  fileprivate func collectAll(into affected: inout [AffectedObservation]) {
    for child in self.many ?? Set(self.few) {
      switch child.content {
      case .observation(let observation):
        affected.append(AffectedObservation(observation: observation))
      case .node(let node):
        affected += node.observations.values.lazy.map { AffectedObservation(observation: $0) }
        node.collectAll(into: &affected)
      case nil: break
      }
    }
  }
}

extension PathIndex.Child.Content {
  fileprivate func collect(
    _ old: Value, _ new: Value, into affected: inout [AffectedObservation]
  ) {
    switch self {
    case .node(let node): node.collect(old, new, into: &affected)
    case .observation(let observation):
      guard !old.isIdentical(to: new) else { return }
      affected.append(AffectedObservation(observation: observation, value: new))
    }
  }
}

extension Value {
  fileprivate var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The members of an object; empty for other values.
  fileprivate var members: JSONObject {
    if case .object(let members) = self { members } else { [:] }
  }
}

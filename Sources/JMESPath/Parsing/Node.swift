import ImmutableJSON

/// A node of a compiled expression.
///
/// `a.b` and `a | b` have the same node: a chain in which each step receives the result of the one
/// before. They differ only in the extent of projections, which the parser resolves.
indirect enum Node: Sendable {
  /// `@`
  case current
  case literal(Value)
  /// `$name`, by its index among the arguments of the expression.
  case argument(Int)
  /// `$name`, by its index among the variables bound by the enclosing `let`s.
  case local(Int)
  /// `name`
  case field(Field)
  /// `[1]`
  case index(Int)
  /// `[1:2:3]`, without its projection.
  case slice(Slice)
  /// `a.b` and `a | b`
  case chain([Node])
  /// `[a, b]`
  case list([Node])
  /// `{a: b}`
  case hash([Member], ObjectTemplate?)
  /// `[*].a`, and the projection after `[1:2]` and `[]`.
  case elements(each: Projected)
  /// `*.a`
  case values(each: Projected)
  /// `[?a].b`
  case filter(by: Condition, each: Projected)
  /// `[]`, without its projection.
  case flatten(Site?)
  case not(Node)
  case and([Node])
  case or([Node])
  case comparison(Comparison, Node, Node)
  /// `name(a, &b)`
  case call(Call)
  /// `let $x = a, $y = b in c`
  case bind([Node], in: Node)

  struct Field: Sendable {
    let key: ObjectKey

    /// The index of this field in the expression.
    let index: Int
  }

  struct Member: Sendable {
    let key: String
    let node: Node
  }

  struct Slice: Sendable {
    let start: Int?
    let stop: Int?
    let step: Int
  }

  final class Call: Sendable {
    let function: Function
    let arguments: [Node]

    /// The place of the call; `nil` inside a projection.
    let site: Site?

    /// The byte offset of the call.
    let offset: Int

    /// The byte offsets of the arguments.
    let offsets: [Int]

    init(
      function: Function, arguments: [Node], site: Site?, at offset: Int, offsets: [Int]
    ) {
      self.offset = offset
      self.site = site
      self.function = function
      self.arguments = arguments
      self.offsets = offsets
    }
  }
}

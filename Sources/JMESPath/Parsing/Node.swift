import ImmutableJSON

/// An expression, compiled: names are looked up, literals are read.
///
/// The node of `a.b` and that of `a | b` are one: each step takes what the one before it gave. They
/// differ in how far a projection reaches, which is settled when the text is read.
indirect enum Node: Sendable {
  /// `@`
  case current
  case literal(Value)
  /// `$name`, by its place among the expression's free variables; where it stands, in bytes.
  case argument(Int, offset: Int)
  /// `$name`, by its place among the variables that the `let`s around it bind.
  case local(Int)
  /// `name`
  case field(ObjectKey)
  /// `[1]`
  case index(Int)
  /// `[1:2:3]`, without its projection.
  case slice(Slice)
  /// `a.b` and `a | b`
  case chain([Node])
  /// `[a, b]`
  case list([Node])
  /// `{a: b}`
  case hash([Member])
  /// `[*].a`, and what follows `[1:2]` and `[]`.
  case elements(each: Node)
  /// `*.a`
  case values(each: Node)
  /// `[?a].b`
  case filter(by: Node, each: Node)
  /// `[]`, without its projection.
  case flatten
  case not(Node)
  case and([Node])
  case or([Node])
  case comparison(Comparison, Node, Node)
  /// `name(a, &b)`
  case call(Call)
  /// `let $x = a, $y = b in c`
  case bind([Node], in: Node)

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

    /// Where the call begins, in bytes.
    let offset: Int

    /// Where the arguments stand, in bytes.
    let offsets: [Int]

    init(function: Function, arguments: [Node], at offset: Int, offsets: [Int]) {
      self.offset = offset
      self.function = function
      self.arguments = arguments
      self.offsets = offsets
    }
  }
}

import ImmutableJSON

/// Compiles schemas of a document and those in them. Each becomes a node. A list of those that wait
/// takes the place of recursion.
struct SchemaCompiler {
  private let document: Value
  private var nodes: [SchemaNode] = []
  /// The nodes of the schemas by their pointers.
  private var indices: [StringKey: Int] = [:]
  /// The depth is how many tokens of the pointer lead to the schema into which references lead.
  private var waiting: [(schema: Value, pointer: JSONPointer, depth: Int)] = []
  /// Those of the schema that is compiled.
  private var current = JSONPointer()
  private var depth = 0
  /// The states of all patterns.
  private var states = 0

  static var maxNodes: Int { 16_384 }
  static var maxDepth: Int { 256 }
  static var maxStates: Int { 65_536 }

  init(_ document: Value) {
    self.document = document
  }
}

extension SchemaCompiler {
  /// Adds a schema of the document, whose references lead into itself.
  mutating func add(_ pointer: JSONPointer) throws(SchemaError) -> Int {
    self.depth = pointer.tokens.count
    return try self.node(self.document.part(at: pointer) ?? .null, at: pointer)
  }

  mutating func compile() throws(SchemaError) -> [SchemaNode] {
    var index = 0
    while index < self.waiting.count {
      let (schema, pointer, depth) = self.waiting[index]
      (self.current, self.depth) = (pointer, depth)
      do {
        self.nodes[index] = try self.compile(schema, at: pointer)
      } catch {
        throw error.after(pointer)
      }
      index += 1
    }
    return self.nodes
  }

  /// The pointer to the schema of a node.
  func pointer(of index: Int) -> JSONPointer {
    self.waiting[index].pointer
  }

  /// The node of a schema, which is compiled later.
  mutating func node(_ schema: Value, at pointer: JSONPointer) throws(SchemaError) -> Int {
    let key = StringKey(pointer.description)
    if let known = self.indices[key] { return known }
    guard self.nodes.count < Self.maxNodes else {
      throw SchemaError("more than \(Self.maxNodes) schemas; use \"$ref\" for those that repeat")
    }
    guard pointer.tokens.count <= Self.maxDepth else {
      throw SchemaError("schemas nest deeper than \(Self.maxDepth) steps")
    }
    let index = self.nodes.count
    self.indices[key] = index
    self.nodes.append(SchemaNode())
    self.waiting.append((schema, pointer, self.depth))
    return index
  }

  private mutating func compile(
    _ schema: Value, at pointer: JSONPointer
  ) throws(SchemaError) -> SchemaNode {
    let node = SchemaNode()
    switch schema {
    case .bool(true): break
    case .bool(false): node.kinds = []
    case .object(let keywords):
      for (keyword, value) in keywords {
        do {
          try self.add(keyword, value, pointer.appending(keyword), in: keywords, to: node)
        } catch {
          throw error.after(keyword)
        }
      }
    default:
      throw .mismatch("a schema, which is an object or a boolean", schema)
    }
    return node
  }

  /// A reference: `#`, or `#/$defs/name`.
  mutating func node(reference value: Value) throws(SchemaError) -> Int {
    let text = try value.schemaString()
    guard text.utf8.first == UInt8(ascii: "#"),
      let decoded = String(percentDecoding: text.dropFirst()),
      let pointer = try? JSONPointer(decoded)
    else {
      throw SchemaError(
        "\(quoted(text)) does not refer to a part of this schema, such as \"#/$defs/name\"")
    }
    let own = JSONPointer(self.current.tokens.prefix(self.depth) + pointer.tokens)
    if let schema = self.document.part(at: own) { return try self.node(schema, at: own) }
    guard pointer.tokens.first == "$defs", pointer.tokens.count > 1,
      let schema = self.document.part(at: pointer)
    else {
      throw SchemaError("nothing at \(quoted(text))")
    }
    // That of a definition of the document: "$defs" and its name.
    let depth = self.depth
    self.depth = 2
    defer { self.depth = depth }
    return try self.node(schema, at: pointer)
  }

  /// The nodes of an array of schemas.
  mutating func nodes(_ value: Value, at pointer: JSONPointer) throws(SchemaError) -> [Int] {
    var nodes: [Int] = []
    for schema in try value.schemaArray() {
      nodes.append(try self.node(schema, at: pointer.appending(nodes.count.description)))
    }
    return nodes
  }

  mutating func pattern(_ value: Value) throws(SchemaError) -> Pattern {
    let text = try value.schemaString()
    do throws(PatternError) {
      let pattern = try Pattern(text)
      self.states += pattern.stateCount
      guard self.states <= Self.maxStates else {
        throw PatternError("the patterns of the schema take more than \(Self.maxStates) states")
      }
      return pattern
    } catch {
      throw SchemaError("the pattern \(quoted(text)): \(error.message)")
    }
  }
}

extension Value {
  /// The value at a pointer; `nil` if there is none.
  fileprivate func part(at pointer: JSONPointer) -> Value? {
    var part = self
    for token in pointer.tokens {
      switch part {
      case .object(let members):
        guard let member = members[token] else { return nil }
        part = member
      case .array(let elements):
        guard let index = Int(token), index.description == token, elements.indices.contains(index)
        else { return nil }
        part = elements[index]
      default: return nil
      }
    }
    return part
  }
}

extension String {
  /// Decodes `%25` and the like, as in the fragment of a URI; `nil` if that is not possible.
  fileprivate init?(percentDecoding text: Substring) {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let digits = String(validating: rest.prefix(2), as: UTF8.self), digits.utf8.count == 2,
        let decoded = UInt8(digits, radix: 16)
      else { return nil }
      bytes.append(decoded)
      rest = rest.dropFirst(2)
    }
    self.init(validating: bytes, as: UTF8.self)
  }
}

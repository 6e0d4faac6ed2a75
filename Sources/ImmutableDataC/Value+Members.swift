import CImmutableData
import ImmutableJSON
import StateEngine

extension Value {
  /// Creates an object of members of the program.
  init(members: UnsafePointer<imd_member>?, _ count: Int) throws {
    self = try Self.build(.object, members, count)
  }

  /// Creates an array of elements of the program.
  init(elements: UnsafePointer<imd_member>?, _ count: Int) throws {
    self = try Self.build(.array, elements, count)
  }

  private static func build(
    _ kind: MemberReader.Container, _ members: UnsafePointer<imd_member>?, _ count: Int
  ) throws -> Value {
    var reader = MemberReader()
    do {
      let value = try reader.read(kind, members, count, depth: 1)
      if let error = value.exceededLimit { throw error }
      return value
    } catch let error as EngineError {
      throw reader.located(error)
    }
  }
}

/// Converts members of the program to a value.
private struct MemberReader: ~Copyable {
  enum Container {
    case array, object
  }

  private let builder = ValueBuilder()

  /// How many more values there may be: a list may occur in several others.
  private var remaining = ValueLimits.values

  /// The steps from the member that could not be converted to the root.
  private var steps: [String] = []

  /// How deep lists of members may nest. Each level takes stack.
  private static var maxDepth: Int { 32 }

  /// Converts a list of members.
  mutating func read(
    _ kind: Container, _ members: UnsafePointer<imd_member>?, _ count: Int, depth: Int
  ) throws -> Value {
    guard depth <= Self.maxDepth else {
      throw EngineError(
        .limit,
        "lists of members nest deeper than \(Self.maxDepth) levels; "
          + "make values of the inner ones with imd_value_object")
    }
    guard count >= 0, count < self.remaining else {
      throw ValueLimitError(.values, limit: ValueLimits.values)
    }
    self.remaining -= count
    let members = UnsafeBufferPointer(
      start: count == 0 ? nil : try required(members, "members"), count: count)
    for (index, member) in members.enumerated() {
      do {
        switch kind {
        case .array:
          self.builder.append(try self.value(of: member, depth))
        case .object:
          let key = try Self.key(of: member)
          self.builder.append(try self.value(of: member, depth), key)
        }
      } catch {
        self.steps.append(Self.step(kind, index, member))
        throw error
      }
    }
    switch kind {
    case .array: return self.builder.makeArray(count: count)
    case .object: return try self.makeObject(count)
    }
  }

  private func makeObject(_ count: Int) throws(EngineError) -> Value {
    do {
      return try self.builder.makeObject(count: count)
    } catch {
      throw EngineError(
        .invalidArgument, "two members have the name \(quoted(error.key)); pass it once")
    }
  }

  private mutating func value(of member: imd_member, _ depth: Int) throws -> Value {
    guard member.kind != IMD_VALUE else { return try ValueHandle.borrow(member.value, "the value") }
    switch imd_kind(rawValue: UInt32(bitPattern: member.kind)) {
    case IMD_NULL:
      guard member.value == nil else {
        throw EngineError(
          .invalidArgument, "a void * that is not NULL has no kind; pass a pointer of another type")
      }
      return .null
    case IMD_BOOL: return .bool(member.integer != 0)
    case IMD_INTEGER:
      guard member.count == 0 || member.integer >= 0 else {
        throw EngineError(
          .limit,
          "the integer \(UInt64(bitPattern: member.integer)) is out of range; "
            + "an integer is at most \(Int64.max)")
      }
      return .integer(member.integer)
    case IMD_REAL: return try Value(real: member.real)
    case IMD_STRING: return try Value(string: member.string, member.count)
    case IMD_ARRAY: return try self.read(.array, member.members, member.count, depth: depth + 1)
    case IMD_OBJECT: return try self.read(.object, member.members, member.count, depth: depth + 1)
    default:
      throw EngineError(
        .invalidArgument,
        "the kind \(member.kind) is unknown; pass one of imd_kind, or IMD_VALUE")
    }
  }

  /// The bytes of the name of a member, which must be UTF-8.
  private static func key(of member: imd_member) throws(EngineError) -> KeyBytes {
    let name = try requiredText(member.name, zeroTerminated, "the name")
    guard name.allSatisfy({ $0 < 0x80 }) || String(validating: name, as: UTF8.self) != nil else {
      throw EngineError(.invalidArgument, "the name is not UTF-8; pass it as UTF-8")
    }
    return KeyBytes(name)
  }

  private static func step(_ kind: Container, _ index: Int, _ member: imd_member) -> String {
    guard kind == .object, let name = member.name else { return String(index) }
    return String(cString: name)
  }

  /// The error of a member, with its pointer.
  func located(_ error: EngineError) -> EngineError {
    guard !self.steps.isEmpty else { return error }
    var error = error
    let pointer = JSONPointer(self.steps.reversed()).description
    error.message = "the member at \(quoted(pointer)): \(error.message)"
    return error
  }
}

import Synchronization

/// The limits of values, for the process. Whatever makes a value refuses one beyond them.
///
/// Reading a limit takes no lock. A new limit holds for what begins after ``set(_:to:)`` has
/// returned; values that exist stay as they are.
public enum ValueLimits {
  /// A limit that can be set.
  public enum Settable: Hashable, Sendable, CaseIterable {
    case values
    case text
    case input
    case work
  }

  /// How deep arrays and objects nest at most. A scalar is no level: `[[1]]` nests 2 deep.
  public static var depth: Int { 2048 }

  /// The most values in a value: itself and everything inside, shared parts counted each time.
  /// 2^30 by default.
  public static var values: Int { valuesLimit.load(ordering: .relaxed) }

  /// The most bytes that the text of a value has. 1 GiB by default.
  public static var text: Int { textLimit.load(ordering: .relaxed) }

  /// The most bytes of a text that is read. 256 MiB by default.
  public static var input: Int { inputLimit.load(ordering: .relaxed) }

  /// The work that a computation may do, unless it is given another budget (``WorkBudget``).
  /// 2^24 units by default.
  public static var work: Int { workLimit.load(ordering: .relaxed) }
}

extension ValueLimits {
  /// A limit as it is now.
  public static subscript(limit: Settable) -> Int {
    switch limit {
    case .values: self.values
    case .text: self.text
    case .input: self.input
    case .work: self.work
    }
  }

  /// Sets a limit.
  ///
  /// - Throws: ``LimitRangeError`` for a limit below 1 or above ``Settable/highest``.
  public static func set(_ limit: Settable, to value: Int) throws(LimitRangeError) {
    guard (1...limit.highest).contains(value) else {
      throw LimitRangeError(limit: limit, value: value)
    }
    switch limit {
    case .values: valuesLimit.store(value, ordering: .relaxed)
    case .text: textLimit.store(value, ordering: .relaxed)
    case .input: inputLimit.store(value, ordering: .relaxed)
    case .work: workLimit.store(value, ordering: .relaxed)
    }
  }
}

extension ValueLimits.Settable {
  /// The highest limit that can be set: what a 32-bit count holds, for sizes.
  public var highest: Int {
    self == .work ? .max : Int(Int32.max)
  }
}

// Globals of their own, each a constant at first, so that the compiler makes them without
// `swift_once`.
private let valuesLimit = Atomic(1 << 30)
private let textLimit = Atomic(1 << 30)
private let inputLimit = Atomic(256 << 20)
private let workLimit = Atomic(1 << 24)

/// A limit cannot be set to a value.
public struct LimitRangeError: Error, Hashable {
  public let limit: ValueLimits.Settable
  public let value: Int
}

extension LimitRangeError: CustomStringConvertible {
  public var description: String {
    "the limit of \(self.limit) must be from 1 to \(self.limit.highest), not \(self.value)"
  }
}

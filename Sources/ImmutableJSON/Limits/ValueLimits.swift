import Synchronization

/// The process-wide limits of values. Operations that would create a value beyond a limit fail.
///
/// Reading a limit takes no lock. A new limit applies to operations that start after
/// ``set(_:to:)`` has returned; existing values are not affected.
public enum ValueLimits {
  /// A limit that can be set.
  public enum Settable: Hashable, Sendable, CaseIterable {
    case values
    case text
    case input
    case work
  }

  /// The maximum nesting depth of arrays and objects. Scalars do not count: `[[1]]` has depth 2.
  public static var depth: Int { 2048 }

  /// The maximum number of values in a value, itself included. Shared parts count each time. 2^30
  /// by default.
  public static var values: Int { valuesLimit.load(ordering: .relaxed) }

  /// The maximum size of the JSON text of a string, array or object, in bytes. 1 GiB by default.
  public static var text: Int { textLimit.load(ordering: .relaxed) }

  /// The maximum size of a text or name that is passed to a C function, in bytes. 256 MiB by
  /// default. `Value(json:)` does not check it.
  public static var input: Int { inputLimit.load(ordering: .relaxed) }

  /// The default budget of a computation, in units of work (``WorkBudget``). 2^24 units by default.
  public static var work: Int { workLimit.load(ordering: .relaxed) }
}

extension ValueLimits {
  /// The current value of a limit.
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
  /// - Throws: ``LimitRangeError`` for a limit below 1 or above ``Settable/maximum``.
  public static func set(_ limit: Settable, to value: Int) throws(LimitRangeError) {
    guard (1...limit.maximum).contains(value) else {
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
  /// The maximum of a limit. Sizes must fit in a 32-bit count.
  public var maximum: Int {
    self == .work ? .max : Int(Int32.max)
  }
}

// Separate globals with constant initial values, which the compiler initializes statically,
// without `swift_once`.
private let valuesLimit = Atomic(1 << 30)
private let textLimit = Atomic(1 << 30)
private let inputLimit = Atomic(256 << 20)
private let workLimit = Atomic(1 << 24)

/// A limit was set to a value out of its range.
public struct LimitRangeError: Error, Hashable {
  public let limit: ValueLimits.Settable
  public let value: Int
}

extension LimitRangeError: CustomStringConvertible {
  public var description: String {
    "the \(self.limit) limit must be from 1 to \(self.limit.maximum), not \(self.value)"
  }
}

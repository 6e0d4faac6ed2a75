/// The limits of values. Whatever makes a value refuses one beyond them.
public enum ValueLimits {
  /// How deep arrays and objects nest at most. A scalar is no level: `[[1]]` nests 2 deep.
  public static var depth: Int { 2048 }

  /// The most values in a value: itself and everything inside, shared parts counted each time.
  public static var values: Int { 1 << 30 }

  /// The most bytes that the text of a value has.
  public static var text: Int { 1 << 30 }

  /// The most bytes of a text that is read.
  public static var input: Int { 256 << 20 }

  /// The work that a computation may do, unless it is given another budget (``WorkBudget``).
  public static var work: Int { 1 << 24 }
}

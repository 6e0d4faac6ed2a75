extension Value {
  /// The number of values in this one, itself included. Shared parts count each time. O(1).
  ///
  /// Exact below `UInt32.max`, where it saturates.
  public var valueCount: Int {
    Int(self.size.values)
  }

  /// An upper bound of the size of the JSON text, in bytes. O(1).
  package var textSizeBound: Int {
    Int(clamping: self.size.text)
  }
}

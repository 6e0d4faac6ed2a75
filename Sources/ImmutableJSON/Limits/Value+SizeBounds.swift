extension Value {
  /// How many values there are, this one and all inside, and how many bytes the text has: at most.
  /// O(1).
  package var sizeBounds: (values: UInt32, text: UInt64) {
    let size = self.size
    return (size.values, size.text)
  }
}

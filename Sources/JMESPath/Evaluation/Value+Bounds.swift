import ImmutableJSON

extension Value {
  /// How many values there are, this one and all inside, at most.
  var valueCount: Int {
    Int(self.sizeBounds.values)
  }

  /// How many bytes the text has, at most.
  var textBound: Int {
    Int(clamping: self.sizeBounds.text)
  }
}

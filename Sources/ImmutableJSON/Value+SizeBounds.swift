extension Value {
  /// How many values there are, and how many bytes the text has, at most.
  package var sizeBounds: (values: UInt32, text: UInt64) {
    (self.extent.weight, self.walkText())
  }

  private func walkText() -> UInt64 {
    switch self {
    case .string(let s): return UInt64(6 * s.utf8.count + 2)
    case .array(let a):
      var n: UInt64 = 2
      for v in a { n += v.walkText() + 1; if n > 1 << 31 { return n } }
      return n
    case .object(let a):
      var n: UInt64 = 2
      for v in a { n += v.value.walkText() + UInt64(v.key.utf8.count) + 4; if n > 1 << 31 { return n }  }
      return n
    default: return 20
    }
  }
}

extension Function {
  /// The function whose name is most similar to an unknown one; `nil` if none is close.
  init?(near name: String) {
    let name = Array(name.lowercased().utf8.prefix(32))
    let near = Self.allCases.map { ($0, distance(name, Array($0.rawValue.utf8))) }
      .min { $0.1 < $1.1 }
    guard let (function, distance) = near, distance <= 2, distance * 2 < name.count else {
      return nil
    }
    self = function
  }
}

/// The Levenshtein distance.
private func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
  var row = Array(0...right.count)
  for (index, letter) in left.enumerated() {
    var diagonal = index
    row[0] = index + 1
    for (column, other) in right.enumerated() {
      let replaced = diagonal + (letter == other ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
    }
  }
  return row[right.count]
}

/// A suggestion for an unknown name: similar names if there are any, otherwise the first few names.
package func suggestion(_ name: String, _ names: [String]) -> String {
  if let suggestion = similarNameSuggestion(name, names) { return suggestion }
  guard !names.isEmpty else { return "; there are none" }
  let shown = names.sorted().prefix(5).map(quoted).joined(separator: ", ")
  let more = names.count > 5 ? " and \(names.count - 5) more" : ""
  return "; expected \(names.count == 1 ? "" : "one of: ")\(shown)\(more)"
}

/// A suggestion of the names that are similar to an unknown one; `nil` if none is similar.
package func similarNameSuggestion(_ name: String, _ names: [String]) -> String? {
  let similar = similarNames(name, names)
  return similar.isEmpty ? nil : "; did you mean \(similar.map(quoted).joined(separator: " or "))?"
}

/// Up to three similar names, the most similar first. A similar name differs in at most a quarter
/// of its letters, or in one letter if it is short. A name that begins with the unknown name is
/// also similar, if the unknown name has at least three letters, and so is a path that ends with
/// the unknown name. Names longer than 128 bytes are not compared.
private func similarNames(_ name: String, _ names: [String]) -> [String] {
  let maximumLength = 128
  guard name.utf8.count <= maximumLength else { return [] }
  let wanted = name.utf8.map(lowercased)
  let slash = Array("/".utf8)
  let similar = names.compactMap { candidate -> (distance: Int, name: String)? in
    guard candidate.utf8.count <= maximumLength else { return nil }
    let letters = candidate.utf8.map(lowercased)
    let distance = editDistance(wanted, letters)
    let isMisspelled = distance <= max(1, letters.count / 4) && distance < wanted.count
    let isAbbreviated = wanted.count >= 3 && letters.starts(with: wanted)
    let isEnd = !wanted.isEmpty && letters.reversed().starts(with: (slash + wanted).reversed())
    return isMisspelled || isAbbreviated || isEnd ? (distance, candidate) : nil
  }
  return similar.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
}

private func lowercased(_ letter: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter) ? letter | 0x20 : letter
}

/// The Damerau–Levenshtein distance (optimal string alignment). O(mn).
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
  var beforeLast = [Int](repeating: 0, count: right.count + 1)
  var last = Array(0...right.count)
  for i in left.indices {
    var row = [i + 1]
    for j in right.indices {
      let replaced = last[j] + (left[i] == right[j] ? 0 : 1)
      var best = min(replaced, last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
        best = min(best, beforeLast[j - 1] + 1)
      }
      row.append(best)
    }
    (beforeLast, last) = (last, row)
  }
  return last[right.count]
}

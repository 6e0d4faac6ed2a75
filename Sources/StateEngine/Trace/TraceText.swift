import ImmutableJSON

/// Formats the lines of a trace for people. Long values are cut.
struct TraceText: Sendable {
  let hasColors: Bool

  /// The bytes of a value that are shown, the members of a value that is longer, and the changes of
  /// an action.
  private static let (maxBytes, maxMembers, maxChanges) = (120, 4, 16)
}

extension TraceText {
  private enum Style: String {
    case dim = "2"
    case bold = "1"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
  }

  private func styled(_ text: String, _ style: Style) -> String {
    guard self.hasColors, !text.isEmpty else { return text }
    return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
  }

  /// A line of a trace as one or more lines of text, without the last line feed.
  func bytes(of line: Value) -> [UInt8] {
    let store = self.styled("[\(Self.plain(line["store"]))]", .dim)
    var parts = [store]
    var changes: [String] = []
    switch line["trace"]?.string {
    case "action":
      parts.append(self.styled("#\(Self.plain(line["number"]))", .dim))
      parts += self.action(line["action"])
      if case .array(let patch)? = line["changes"] { changes = self.lines(of: patch) }
    case "rejected":
      parts.append(self.styled("rejected", .red))
      if case .array(let actions)? = line["actions"] {
        parts.append(counted(actions.count, "action"))
      } else {
        parts += self.action(line["action"])
      }
    case "selector":
      parts.append(self.styled("selector", .cyan))
      parts.append(self.styled(Self.plain(line["name"] ?? line["expression"]), .bold))
      if let label = line["label"] { parts.append("(\(Self.plain(label)))") }
      if let arguments = line["arguments"] { parts.append(Self.cut(arguments)) }
      parts.append(line["changed"] == true ? "changed" : self.styled("unchanged", .dim))
      parts += self.sources(line)
    case "observer":
      parts.append(self.styled("observer", .cyan))
      parts.append(self.styled(Self.plain(line["name"]), .bold))
      if let label = line["label"] { parts.append("(\(Self.plain(label)))") }
    case "effect", "request":
      let event = line["event"]?.string ?? ""
      parts.append(self.styled(Self.plain(line["trace"]), .yellow))
      if let name = line["name"] { parts.append(self.styled(Self.plain(name), .bold)) }
      if let type = line["after"] { parts.append("after \(Self.plain(type))") }
      if let method = line["method"] {
        parts.append(self.styled("\(Self.plain(method)) \(Self.plain(line["url"]))", .bold))
      }
      parts.append(event == "failed" ? self.styled(event, .red) : event)
      if let status = line["status"] { parts.append(Self.plain(status)) }
      if let bytes = line["bytes"]?.integer { parts.append(counted(Int(bytes), "byte")) }
      if let value = line["arguments"] ?? line["result"], value != .null {
        parts.append(Self.cut(value))
      }
    default: parts.append(self.styled(Self.plain(line["trace"]), .red))
    }
    if let code = line["code"] { parts.append(self.styled("\(Self.plain(code)):", .red)) }
    if let message = line["message"] { parts.append(Self.plain(message)) }
    if case .real(let time)? = line["microseconds"] {
      let tenths = Int(time / 100)
      let shown = time < 1_000 ? "\(time) µs" : "\(tenths / 10).\(tenths % 10) ms"
      parts.append(self.styled(shown, .dim))
    }
    return Array(([parts.joined(separator: " ")] + changes).joined(separator: "\n").utf8)
  }

  /// The type, payload and meta of an action.
  private func action(_ action: Value?) -> [String] {
    guard let action, let type = action["type"] else { return action.map { [Self.cut($0)] } ?? [] }
    return [self.styled(Self.plain(type), .bold)]
      + (action["payload"].map { [Self.cut($0)] } ?? [])
      + (action["meta"].map { [self.styled("meta \(Self.cut($0))", .dim)] } ?? [])
  }

  /// What a selector depends on.
  private func sources(_ line: Value) -> [String] {
    if case .object(let dependencies)? = line["dependencies"] {
      let names = dependencies.map { name, changed in
        Self.plain(.string(name)) + (changed == true ? " changed" : " unchanged")
      }
      return [self.styled("(\(names.joined(separator: ", ")))", .dim)]
    }
    if case .array(let inputs)? = line["inputs"] {
      return [self.styled("of \(inputs.map { Self.plain($0) }.joined(separator: ", "))", .dim)]
    }
    return []
  }

  /// The operations of a JSON Patch, one in each line.
  private func lines(of patch: JSONArray) -> [String] {
    var lines: [String] = []
    for operation in patch {
      guard lines.count < Self.maxChanges else {
        let rest = patch.count - lines.count
        return lines + ["    … \(counted(rest, "more change"))"]
      }
      let (sign, style): (String, Style) =
        switch operation["op"]?.string {
        case "add": ("+", .green)
        case "remove": ("-", .red)
        case "move": (">", .yellow)
        default: ("=", .yellow)
        }
      let from = operation["from"].map { " from \(Self.plain($0))" } ?? ""
      let value = operation["value"].map { " \(Self.cut($0))" } ?? from
      let path = Self.plain(operation["path"])
      lines.append(
        "    \(self.styled("\(sign) \(path.isEmpty ? "(all)" : path)", style))\(value)")
    }
    return lines
  }
}

extension TraceText {
  /// A string or a number. Characters that a terminal would act upon are escaped.
  private static func plain(_ value: Value?) -> String {
    guard let value else { return "" }
    return self.printable(value.string ?? value.json)
  }

  private static func printable(_ text: String) -> String {
    guard !text.unicodeScalars.allSatisfy(\.isPrintable) else { return text }
    var printable = ""
    for scalar in text.unicodeScalars {
      if scalar.isPrintable {
        printable.unicodeScalars.append(scalar)
      } else {
        printable += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return printable
  }

  /// The JSON of a value. If it is long, the beginning of it, and what is missing.
  private static func cut(_ value: Value) -> String {
    // A bound in O(1): a large value is never written.
    if value.textSizeBound <= 6 * self.maxBytes {
      let text = value.json
      if text.utf8.count <= self.maxBytes { return self.printable(text) }
    }
    switch value {
    case .string(let text):
      let shown = text.unicodeScalars.prefix(self.maxBytes)
      let count = text.utf8.count - String(String.UnicodeScalarView(shown)).utf8.count
      let json = Value.string(String(String.UnicodeScalarView(shown))).json.dropLast()
      return self.printable(String(json)) + "…\" (\(counted(count, "more byte")))"
    case .array(let elements):
      let shown = elements.prefix(self.maxMembers).map { self.short($0) }
      return self.list(shown, elements.count, "[", "]")
    case .object(let members):
      let shown = members.prefix(self.maxMembers).map {
        "\(self.short(.string($0.key))):\(self.short($0.value))"
      }
      return self.list(shown, members.count, "{", "}")
    default: return value.json
    }
  }

  private static func list(
    _ shown: [String], _ count: Int, _ start: String, _ end: String
  ) -> String {
    let rest = count - shown.count
    let parts = rest > 0 ? shown + ["… \(rest) more"] : shown
    return "\(start)\(parts.joined(separator: ","))\(end)"
  }

  /// A part of a long value.
  private static func short(_ value: Value) -> String {
    let limit = 32
    if value.textSizeBound <= 6 * limit {
      let text = value.json
      if text.utf8.count <= limit { return self.printable(text) }
    }
    switch value {
    case .string(let text): return quoted(text)
    case .array(let elements): return "[… \(elements.count)]"
    case .object(let members): return "{… \(members.count)}"
    default: return value.json
    }
  }
}

/// The name of a type with the types around it, without its module.
func typeName(_ type: Any.Type) -> String {
  let name = String(reflecting: type).split(separator: ".", omittingEmptySubsequences: false)
  return name.dropFirst().filter { !$0.hasPrefix("(unknown context") }.joined(separator: ".")
}

/// The name of a type in the `$defs` of a schema, where it needs no escapes.
func referenceName(_ type: Any.Type) -> String {
  String(typeName(type).map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "_" })
}

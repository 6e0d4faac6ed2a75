/// The keys of objects that have the same members, prepared once and shared by these objects.
package struct MemberKeys: Sendable {
  private let names: [String]

  /// `nil` if the keys do not fit in one node.
  private let template: ObjectTemplate?

  /// - Parameter names: Distinct names.
  package init(_ names: [String]) {
    self.names = names
    self.template = ObjectTemplate(names)
  }

  /// Creates an object of these values, in the order of the names.
  package func object(_ values: [Value]) -> Value {
    guard let template, values.count == self.names.count else {
      return .object(JSONObject(zip(self.names, values).map { ($0, $1) }))
    }
    return .object(template.object { values[$0] })
  }
}

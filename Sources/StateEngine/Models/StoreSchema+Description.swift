import ImmutableJSON

extension StoreSchema {
  /// The members of ``AnyStore/description()``, as those of a domain.
  var description: JSONObject {
    var members: JSONObject = [:]
    members["$defs"] = self.json["$defs"]
    members["actions"] = self.json["actions"]?.list("type", "payload")
    members["effects"] = self.json["effects"]?.list("name", "arguments")
    members["state"] = self.json["state"]
    return members
  }
}

extension Value {
  /// The members of an object of schemas, as objects with the name and the schema, sorted by name.
  fileprivate func list(_ name: String, _ schema: String) -> Value {
    var list: JSONArray = []
    for member in self.object.sorted(by: { StringKey($0.key) < StringKey($1.key) }) {
      var object: JSONObject = [name: .string(member.key), schema: member.value]
      object["summary"] = member.value["description"]
      list.append(.object(object))
    }
    return .array(list)
  }
}

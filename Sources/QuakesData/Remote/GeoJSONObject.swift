import ImmutableJSON
import ProductSupport

/// A part of a GeoJSON text that is not as expected.
struct GeoJSONError: Error, Hashable {
  /// The path of the part.
  let path: String
  let problem: String
}

extension GeoJSONError: CustomStringConvertible {
  var description: String {
    "\(self.path): \(self.problem)"
  }

  /// Returns the error with the path of the value that it is about.
  func inside(_ path: String) -> GeoJSONError {
    GeoJSONError(path: path + self.path, problem: self.problem)
  }
}

/// An object of a GeoJSON text, with its path for messages.
struct GeoJSONObject {
  private let members: JSONObject
  private let path: String

  init(_ value: Value, at path: String = "") throws(GeoJSONError) {
    guard case .object(let members) = value else {
      throw GeoJSONError(path: path, problem: "expected an object, found \(value.kindOrNumber)")
    }
    self.members = members
    self.path = path
  }
}

// MARK: Members

extension GeoJSONObject {
  func object(_ name: String) throws(GeoJSONError) -> GeoJSONObject {
    try GeoJSONObject(self.member(name), at: "\(self.path)/\(name)")
  }

  func array(_ name: String) throws(GeoJSONError) -> JSONArray {
    let value = try self.member(name)
    guard case .array(let elements) = value else {
      throw self.error(name, "expected an array, found \(value.kindOrNumber)")
    }
    return elements
  }

  func text(_ name: String) throws(GeoJSONError) -> String {
    let value = try self.member(name)
    guard case .string(let text) = value else {
      throw self.error(name, "expected a string, found \(value.kindOrNumber)")
    }
    guard !text.containsNUL else {
      throw self.error(name, "\(quoted(text)) contains U+0000, which cannot be stored")
    }
    return text
  }

  func number(_ name: String) throws(GeoJSONError) -> Double {
    let value = try self.member(name)
    guard let number = value.number else {
      throw self.error(name, "expected a number, found \(value.kindWithArticle)")
    }
    return number
  }

  /// A time in milliseconds since 1970.
  func time(_ name: String) throws(GeoJSONError) -> Timestamp {
    let value = try self.member(name)
    let milliseconds: Int64? =
      switch value {
      case .integer(let integer): integer
      case .real(let real): Int64(equalTo: real)
      default: nil
      }
    guard let milliseconds else {
      throw self.error(
        name, "expected an integer, the milliseconds since 1970, found \(value.kindOrNumber)")
    }
    return Timestamp(milliseconds: milliseconds)
  }

  /// The longitude and the latitude of a position, in degrees.
  func position(_ name: String) throws(GeoJSONError) -> (longitude: Double, latitude: Double) {
    let elements = try self.array(name)
    guard elements.count >= 2 else {
      throw self.error(
        name, "expected a longitude and a latitude, found \(counted(elements.count, "element"))")
    }
    return (
      try self.degrees(elements[0], upTo: 180, "\(name)/0"),
      try self.degrees(elements[1], upTo: 90, "\(name)/1")
    )
  }

  private func degrees(
    _ value: Value, upTo limit: Double, _ name: @autoclosure () -> String
  ) throws(GeoJSONError) -> Double {
    guard let number = value.number else {
      throw self.error(name(), "expected a number, found \(value.kindWithArticle)")
    }
    guard number.magnitude <= limit else {
      throw self.error(name(), "\(value.json) is not between -\(Int(limit)) and \(Int(limit))")
    }
    return number
  }

  /// Whether there is a member that is not null.
  func has(_ name: String) -> Bool {
    let value = self.members[name]
    return value != nil && value != .null
  }

  private func member(_ name: String) throws(GeoJSONError) -> Value {
    guard let value = self.members[name] else {
      throw GeoJSONError(path: self.path, problem: "the member \(quoted(name)) is missing")
    }
    return value
  }

  private func error(_ name: String, _ problem: String) -> GeoJSONError {
    GeoJSONError(path: "\(self.path)/\(name)", problem: problem)
  }
}

extension Value {
  /// The number that this is, if it is one.
  fileprivate var number: Double? {
    switch self {
    case .integer(let integer): Double(nearest: integer)
    case .real(let real): real
    default: nil
    }
  }
}

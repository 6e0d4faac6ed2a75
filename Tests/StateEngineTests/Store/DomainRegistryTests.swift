import CounterData
import ImmutableJSON
import StateEngine
import Testing

@Suite struct DomainRegistryTests {
  private let domains: DomainRegistry

  init() throws {
    self.domains = try DomainRegistry([NotesDomain.self, CounterDomain.self])
  }

  @Test func openByName() throws {
    let store = try self.domains.open("counter")
    #expect(try store.select("selectValue") == 0)
  }

  @Test(arguments: [
    (
      "conter", nil, EngineError.Code.unknownDomain,
      #"unknown domain "conter"; did you mean "counter"?"#
    ),
    ("", nil, .unknownDomain, #"unknown domain ""; expected one of: "counter", "notes""#),
    (
      "counter", #"{"stat":{"value":1}}"#, .invalidArgument,
      #"unknown option "stat"; did you mean "state"?"#
    ),
    (
      "counter", #"{"state":{"value":1.5}}"#, .invalidArgument,
      "options/state/value: expected an integer, found 1.5"
    ),
    (
      "counter", #"{"state":{}}"#, .invalidArgument,
      #"options/state: the member "value" is missing"#
    ),
    (
      "counter", #"{"state":{"value":1e300}}"#, .invalidArgument,
      "options/state/value: expected an integer, found 1e+300"
    ),
    (
      "counter", "7", .invalidArgument, "options: expected an object, found an integer"
    ),
    (
      "notes", #"{"state":{"notes":{"a/b":1}}}"#, .invalidArgument,
      "options/state/notes/a~1b: expected a string, found an integer"
    ),
    (
      "counter", "{", .invalidJSON,
      "the options are not JSON: string or '}' expected near end of file; "
        + #"options are an object such as {"name":"value"}"#
    ),
  ])
  func openThrows(
    _ name: String, _ options: String?, _ code: EngineError.Code, _ message: String
  ) {
    let error = failure { () throws(EngineError) in
      let options = try options.map { text throws(EngineError) in try Value(options: text) }
      _ = try self.domains.open(name, options: options)
    }
    #expect(error?.code == code)
    #expect(error?.message == message)
  }

  @Test func descriptionsAreInOrderOfName() {
    guard case .array(let descriptions) = self.domains.descriptions else {
      Issue.record("no array")
      return
    }
    #expect(descriptions.map { $0["name"] } == ["counter", "notes"])
    #expect(
      descriptions.last?["selectors"]?.json
        == #"[{"arguments":{"additionalProperties":false,"properties":{},"required":[],"#
        + #""type":"object"},"name":"selectNotes","output":{"additionalProperties":"#
        + #"{"type":"string"},"type":"object"},"summary":"Texts by id."},"#
        + #"{"arguments":{"additionalProperties":false,"properties":{},"required":[],"#
        + #""type":"object"},"name":"selectColor","output":{"anyOf":[{"type":"string"},"#
        + #"{"type":"null"}]},"summary":"The color."},{"arguments":{"#
        + #""additionalProperties":false,"properties":{"id":{"description":"The id of the note.","#
        + #""type":"string"}},"required":["id"],"type":"object"},"name":"selectNote","#
        + #""output":{"anyOf":[{"type":"string"},{"type":"null"}]},"#
        + #""summary":"The text of a note."}]"#)
    #expect(
      descriptions.first?["actions"]?.json
        == #"[{"summary":"Adds one to the value.","type":"didTapIncrementButton"},"#
        + #"{"summary":"Subtracts one from the value.","type":"didTapDecrementButton"}]"#)
  }

  @Test func aNameBelongsToOneDomain() throws {
    let domains = try DomainRegistry([CounterDomain.self, CounterDomain.self])
    #expect(try domains.open("counter").select("selectValue") == 0)
    let error = failure { () throws(EngineError) in
      _ = try DomainRegistry([CounterDomain.self, NotesDomain.self, OtherCounter.self])
    }
    let message =
      "CounterData.CounterDomain and StateEngineTests.OtherCounter both have the name "
      + #""counter"; rename or remove one of these domains"#
    #expect(error == EngineError(.invalidArgument, message))
  }

  @Test func aDomainHasAName() throws {
    let error = failure { () throws(EngineError) in
      _ = try DomainRegistry([CounterDomain.self, NamelessDomain.self])
    }
    let message = "StateEngineTests.NamelessDomain has an empty name; name the domain"
    #expect(error == EngineError(.invalidArgument, message))
  }

  @Test func aRegistryCanBeEmpty() throws {
    let domains = try DomainRegistry([])
    #expect(domains.descriptions == .array([]))
    let error = failure { () throws(EngineError) in _ = try domains.open("counter") }
    let message = #"unknown domain "counter": this library was built without domains"#
    #expect(error == EngineError(.unknownDomain, message))
  }
}

/// A domain with the name of another.
enum OtherCounter: DescribedDomain {
  static var name: String { "counter" }
}

enum NamelessDomain: DescribedDomain {
  static var name: String { "" }
}

extension Value {
  fileprivate init(options text: String) throws(EngineError) {
    self = try Array(text.utf8).withUnsafeBytes { bytes in
      Result { () throws(EngineError) in try Value(reading: bytes, .options) }
    }.get()
  }
}

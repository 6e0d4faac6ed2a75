import StateEngine
import Testing

@testable import AnimalsData

@Suite struct EventBacklogTests {
  /// Parses one event for each letter: "r" is a reset, "u" an unknown event, any other a change.
  /// The data is the letter, repeated `length` times.
  private func events(_ letters: String, length: Int = 1) -> [EventBacklog.Event] {
    var parser = ServerSentEventParser()
    return letters.flatMap { letter in
      let name = letter == "r" ? "reset" : letter == "u" ? "other" : "change"
      let data = String(repeating: letter, count: length)
      return parser.read(Array("event: \(name)\ndata: \(data)\n\n".utf8))
    }
  }

  @Test(arguments: [
    ("", ""), ("ab", "ab"), ("u", ""), ("aub", "ab"), ("abr", "r"), ("abrc", "rc"), ("rrr", "r"),
    ("arbr", "r"),
  ])
  func onlyEventsThatMatterWait(_ received: String, _ expected: String) {
    var backlog = EventBacklog()
    let added = self.events(received).map { backlog.append($0) }
    #expect(added.allSatisfy { $0 })
    #expect(backlog.count == expected.count)
    var waiting = ""
    while let event = backlog.popFirst() { waiting += event.data }
    #expect(waiting == expected)
  }

  @Test func theNumberIsLimited() {
    var backlog = EventBacklog()
    let event = self.events("a")[0]
    let added = (0...EventBacklog.countLimit).map { _ in backlog.append(event) }
    #expect(added.firstIndex(of: false) == EventBacklog.countLimit)
    _ = backlog.popFirst()
    let afterOne = (0..<2).map { _ in backlog.append(event) }
    #expect(afterOne == [true, false])
    backlog.removeAll()
    let afterAll = backlog.append(event)
    #expect(afterAll)
  }

  @Test func theSizeIsLimited() {
    var backlog = EventBacklog()
    let half = self.events("a", length: EventBacklog.sizeLimit / 2 - "change".utf8.count)[0]
    let small = self.events("b")[0]
    let added = [half, half, small].map { backlog.append($0) }
    #expect(added == [true, true, false])
    _ = backlog.popFirst()
    let afterOne = [small, half].map { backlog.append($0) }
    #expect(afterOne == [true, false])
  }

  @Test func oneEffectHandlesTheEvents() {
    var backlog = EventBacklog()
    var begun = [backlog.beginHandling()]
    for event in self.events("ab") { _ = backlog.append(event) }
    begun += [backlog.beginHandling(), backlog.beginHandling()]
    _ = backlog.popFirst()
    var continued = [backlog.continueHandling()]
    backlog.removeAll()
    continued += [backlog.continueHandling()]
    for event in self.events("c") { _ = backlog.append(event) }
    begun += [backlog.beginHandling()]
    #expect(begun == [false, true, false, true])
    #expect(continued == [true, false])
  }
}

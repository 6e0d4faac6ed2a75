import TestSupport
import Testing
import Threading

@testable import StateEngine

/// A request ends exactly once, and retains nothing afterwards.
@Suite struct FetchTaskTests {
  private static let rounds = 2_000

  private func isTaken(_ body: () throws(EngineError) -> Void) -> Bool {
    let error = failure(body)
    #expect(error == nil || error?.code == .closed)
    return error == nil
  }

  @Test func oneOfTwoAnswersWins() throws {
    for _ in 0..<Self.rounds {
      let collector = ResponseCollector()
      let call = FetchTask(FetchRequest(url: "http://host"), onEvent: collector.receive)
      let won = Recorder<Int>()
      onThreads(2) { number in
        let taken = self.isTaken { () throws(EngineError) in
          try call.resolve(
            status: 200 + number, headers: [], [UInt8](repeating: UInt8(number), count: 64))
        }
        if taken { won.append(number) }
      }
      let number = try #require(won.all.first)
      #expect(won.all.count == 1)
      let response = try collector.response(to: call, within: 5_000)
      #expect(response.status == 200 + number)
      #expect(response.body == [UInt8](repeating: UInt8(number), count: 64))
    }
  }

  /// Parts from several threads are not interleaved, and none is taken after the end.
  @Test func partsAreAtomic() throws {
    for _ in 0..<Self.rounds {
      let collector = ResponseCollector()
      let call = FetchTask(FetchRequest(url: "http://host"), onEvent: collector.receive)
      let taken = Recorder<Int>()
      onThreads(3) { number in
        let isTaken = self.isTaken { () throws(EngineError) in
          let part = [UInt8](repeating: UInt8(number), count: 8)
          if number == 0 {
            try call.resolve(status: 200, headers: [], part)
          } else {
            try call.receive(status: 200, headers: [], part)
          }
        }
        if isTaken { taken.append(number) }
      }
      let body = try collector.response(to: call, within: 5_000).body
      let parts = stride(from: 0, to: body.count, by: 8).map { Array(body[$0..<($0 + 8)]) }
      #expect(parts.allSatisfy { Set($0).count == 1 })
      #expect(Set(parts.compactMap(\.first)) == Set(taken.all.map(UInt8.init)))
      #expect(parts.last == [UInt8](repeating: 0, count: 8))
    }
  }

  @Test func eventsAreInTheOrderOfCalls() throws {
    for _ in 0..<200 {
      let events = Recorder<String>()
      let running = Mutex(0)
      var request = FetchRequest(url: "http://host")
      request.isStreamed = true
      let call = FetchTask(request) { event in
        #expect(
          running.withLock {
            $0 += 1; return $0
          } == 1)
        switch event {
        case .response(let response): events.append("\(response.status)")
        case .part(let bytes): events.append(String(decoding: bytes, as: UTF8.self))
        case .end(let error): events.append(error == nil ? "end" : "\(String(describing: error))")
        }
        running.withLock { $0 -= 1 }
      }
      let taken = Recorder<String>()
      onThreads(3) { thread in
        for number in 0..<20 {
          let text = "\(thread)/\(number)"
          let isTaken = self.isTaken { () throws(EngineError) in
            if thread == 2, number == 10 {
              try call.resolve(status: 200, headers: [], Array(text.utf8))
            } else {
              try call.receive(status: 200, headers: [], Array(text.utf8))
            }
          }
          if isTaken { taken.append(text) }
        }
      }
      let all = events.all
      #expect(all.first == "200" && all.last == "end")
      #expect(all.filter { $0 == "200" || $0 == "end" }.count == 2)
      let parts = Array(all.dropFirst().dropLast())
      #expect(Set(parts) == Set(taken.all) && parts.count == taken.all.count)
      #expect(parts.last == "2/10")
      for thread in 0..<3 {
        let numbers = parts.filter { $0.hasPrefix("\(thread)/") }.compactMap {
          Int($0.dropFirst(2))
        }
        #expect(numbers == Array(0..<numbers.count))
      }
    }
  }

  @Test func eachHandlerIsCalledOnceAtTheEnd() throws {
    let ends = Recorder<Int>()
    let collector = ResponseCollector()
    let call = FetchTask(FetchRequest(url: "http://host"), onEvent: collector.receive)
    call.onEnd { ends.append(1) }
    call.onEnd { ends.append(2) }
    try call.reject("no")
    call.cancel()
    #expect(ends.all == [1, 2])
    call.onEnd { ends.append(3) }
    #expect(ends.all == [1, 2, 3])
    #expect(throws: ProgramTaskError.rejected("no")) {
      try collector.response(to: call, within: 5_000)
    }
  }

  /// A handler may end the request whose event it handles.
  @Test func aHandlerCanEndItsRequest() throws {
    let ends = Recorder<String>()
    let own = Mutex<FetchTask?>(nil)
    var request = FetchRequest(url: "http://host")
    request.isStreamed = true
    let call = FetchTask(request) { event in
      guard case .end = event else {
        own.withLock { $0 }?.cancel()
        return ends.append("cancelled")
      }
      ends.append("end")
    }
    own.withLock { $0 = call }
    try call.receive(status: 200, headers: [], [])
    #expect(ends.all == ["cancelled", "end"])
    own.withLock { $0 = nil }
  }

  private final class Held: Sendable {}

  @Test func nothingIsRetainedAfterTheEnd() throws {
    weak var handled: Held?
    weak var ended: Held?
    let call: FetchTask
    do {
      let (inHandler, inEnding) = (Held(), Held())
      (handled, ended) = (inHandler, inEnding)
      call = FetchTask(FetchRequest(url: "http://host")) { _ in withExtendedLifetime(inHandler) {} }
      call.onEnd { withExtendedLifetime(inEnding) {} }
    }
    #expect(handled != nil && ended != nil)
    try call.resolve(status: 200, headers: [], [])
    #expect(handled == nil && ended == nil)
  }

  @Test func aFetcherReleasesFinishedRequests() throws {
    let fetcher = Fetcher()
    let calls = Recorder<FetchTask>()
    fetcher.use(Callback { calls.append($0) })
    let stream = fetcher.stream(FetchRequest(url: "http://host")) { _ in }
    #expect(fetcher.count == 1)
    #expect(throws: ProgramTaskError.timedOut(milliseconds: 1)) {
      try fetcher.response(to: FetchRequest(url: "http://host"), within: 1)
    }
    #expect(fetcher.count == 1)
    // A program does the same to release what belongs to the request.
    let ends = Recorder<Bool>()
    stream.onEnd { ends.append(true) }
    stream.cancel()
    #expect(ends.all == [true])
    #expect(fetcher.count == 0)
  }
}

import ImmutableJSON
import StateEngine
import TestSupport
import Testing
import Threading

// In a process of its own: the child of a fork would wait forever for what another test began.
// ThreadSanitizer, with which the tests above run, permits no threads in such a child.
@Suite struct LogFollowerForkTests {
  @Test func aWriteOfAnotherProcessWakesTheFollower() async {
    await #expect(processExitsWith: .success) {
      let test = try LogFollowerTests()
      try test.open().close()
      let reader = try test.open(isReadOnly: true)
      let recorder = try test.observe(reader)
      for number in 1...3 {
        let status = exitStatusOfChild {
          guard let writer = try? test.open(), let other = try? test.open(isReadOnly: true),
            let recorder = try? test.observe(other),
            (try? test.set(Int64(number), in: writer)) != nil
          else { return 1 }
          recorder.wait(for: 2)
          other.close()
          writer.close()
          return recorder.texts == [String(number - 1), String(number)] ? 0 : 2
        }
        try #require(status == 0)
        recorder.wait(for: number + 1)
      }
      #expect(recorder.texts == ["0", "1", "2", "3"])
      reader.close()
      #expect(inotifyInstanceCount() == 0)
    }
  }
}

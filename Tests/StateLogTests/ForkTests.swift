import StateLog
import TestSupport
import Testing
import Glibc

// Each test forks in a process of its own. Tests run concurrently, and the child of a fork would
// wait forever for an initialization that another thread had begun.
@Suite struct ForkTests {
  @Test func aChildCannotUseAnInheritedLog() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      var log = try TestLog(SystemFiles(), folder.file("x.imd")) { $0.hasThread = true }
      try log.add(1...1)
      try log.append("[2]")
      let file = log.log
      let inherited = LogError(
        .closed,
        "the log \"\(folder.file("x.imd"))\" belongs to the process that this one was forked "
          + "from; open one in this process")
      let status = exitStatusOfChild {
        let errors = [
          error { try file.append(.actions, 3, "[3]") }, error { try file.waitForRoom() },
          error { try file.wait(upTo: 2) }, error { try file.sync() },
        ]
        file.writeSoon()
        file.setSnapshotSource(nil)
        guard errors.allSatisfy({ $0 == inherited }), !file.waitWhileOpen(upTo: 1), !file.work(),
          file.close() == nil
        else { return 1 }
        return 0
      }
      #expect(status == 0)
      try log.add(3...3)
      log.log.close()
      #expect(try TestLog(SystemFiles(), folder.file("x.imd")).state == texts(1...3))
    }
  }

  /// The lock belongs to the parent: its end is the end of the lock, and a child cannot take it.
  @Test func aChildDoesNotKeepTheLock() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = folder.file("x.imd")
      var log: TestLog? = try TestLog(SystemFiles(), path)
      let parent = getpid()
      var (opened, closed): ([Int32], [Int32]) = ([0, 0], [0, 0])
      pipe(&opened)
      pipe(&closed)
      let child = fork()
      if child == 0 {
        var byte: UInt8 = 0
        let refused = error { _ = try TestLog(SystemFiles(), path) }
        let isHeld = refused?.message.contains("process \(parent) writes to it") == true
        write(opened[1], &byte, 1)
        read(closed[0], &byte, 1)
        _exit(isHeld ? 0 : 1)
      }
      var byte: UInt8 = 0
      read(opened[0], &byte, 1)
      log?.log.close()
      log = nil
      // The child still runs.
      let again = error { _ = try TestLog(SystemFiles(), path) }
      write(closed[1], &byte, 1)
      var status: Int32 = -1
      waitpid(child, &status, 0)
      #expect(again == nil)
      #expect(status == 0)
    }
  }

  @Test func aSecondProcessIsToldWhichOneWrites() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = folder.file("x.imd")
      var ready: [Int32] = [0, 0]
      pipe(&ready)
      let child = fork()
      var byte: UInt8 = 0
      if child == 0 {
        let log = try? TestLog(SystemFiles(), path)
        write(ready[1], &byte, 1)
        withExtendedLifetime(log) { _ = pause() }
      }
      read(ready[0], &byte, 1)
      let refused = LogError(
        .io,
        "cannot open \"\(path)\": process \(child) writes to it; "
          + "close it there, or open it read-only")
      #expect(error { _ = try TestLog(SystemFiles(), path) } == refused)
      #expect(error { _ = try TestLog(SystemFiles(), path) { $0.isReadOnly = true } } == nil)
      kill(child, SIGKILL)
      waitpid(child, nil, 0)
      #expect(error { _ = try TestLog(SystemFiles(), path) } == nil)
    }
  }
}

import StateLog
import TestSupport
import Testing
import Glibc

@Suite struct WatchTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    self.folder = try TemporaryFolder()
    self.path = self.folder.file("x")
    try self.folder.write("1", to: "x")
  }

  private func write(_ path: String? = nil) throws {
    let file = try SystemFiles().open(path ?? self.path, .write)
    try withUnsafeBytes(of: UInt8(50)) { try file.write($0, at: 0) }
  }

  private func watch(_ path: String? = nil) throws -> (any FileWatch, Recorder<WatchEvent>) {
    let recorder = Recorder<WatchEvent>()
    let watch = SystemFiles().watch(path ?? self.path) { recorder.append($0) }
    return (try #require(watch), recorder)
  }

  @Test func allWatchesOfAFileAreToldOfAWrite() throws {
    let (first, second) = (try self.watch(), try self.watch())
    try self.write()
    #expect(first.1.first() == .written)
    #expect(second.1.first() == .written)
    withExtendedLifetime((first, second)) {}
  }

  @Test func aReleasedWatchIsNotCalled() throws {
    var first: (any FileWatch, Recorder<WatchEvent>)? = try self.watch()
    let recorder = first?.1
    let second = try self.watch()
    first = nil
    try self.write()
    #expect(second.1.first() == .written)
    #expect(recorder?.all == [])
  }

  @Test(arguments: ["replaced", "moved", "deleted"])
  func aFileThatLosesItsPath(_ how: String) throws {
    let (watch, recorder) = try self.watch()
    try self.folder.write("2", to: "y")
    switch how {
    case "replaced": #expect(rename(self.folder.file("y"), self.path) == 0)
    case "moved": #expect(rename(self.path, self.folder.file("z")) == 0)
    default: #expect(unlink(self.path) == 0)
    }
    #expect(recorder.first() == .moved)
    withExtendedLifetime(watch) {}
  }

  @Test func onlyTheWatchedFileCounts() throws {
    try self.folder.write("2", to: "y")
    let (first, second) = (try self.watch(), try self.watch(self.folder.file("y")))
    try self.write(self.folder.file("y"))
    #expect(second.1.first() == .written)
    #expect(first.1.all == [])
  }

  @Test func aMissingFileIsNotWatched() {
    #expect(SystemFiles().watch(self.folder.file("z")) { _ in } == nil)
  }
}

// In processes of their own, which have no other descriptors and threads.
extension WatchTests {
  @Test func noDescriptorStays() async {
    await #expect(processExitsWith: .success) {
      let test = try WatchTests()
      _ = try test.watch()
      #expect(inotifyInstanceCount() == 0)
      for _ in 0..<10 {
        let (first, second) = (try test.watch(), try test.watch())
        #expect(inotifyInstanceCount() == 1)
        #expect(SystemFiles().watch(test.folder.file("z")) { _ in } == nil)
        withExtendedLifetime((first, second)) {}
      }
      #expect(SystemFiles().watch(test.folder.file("z")) { _ in } == nil)
      var last: (any FileWatch, Recorder<WatchEvent>)? = try test.watch()
      #expect(unlink(test.path) == 0)
      #expect(last?.1.first() == .moved)
      last = nil
      #expect(inotifyInstanceCount() == 0)
    }
  }

  /// Its result may be the last reference.
  @Test func aWatchEndsOnItsOwnThread() async {
    await #expect(processExitsWith: .success) {
      let test = try WatchTests()
      let (ended, recorder) = (Recorder<Bool>(), Recorder<WatchEvent>())
      let holder = Holder()
      holder.watch = SystemFiles().watch(test.path) { change in
        recorder.append(change)
        holder.watch = nil
        ended.append(true)
      }
      try test.write()
      ended.wait(for: 1)
      let (again, changes) = try test.watch()
      try test.write()
      #expect(changes.first() == .written)
      #expect(recorder.all == [.written])
      withExtendedLifetime(again) {}
    }
  }

  @Test func aProcessWithoutDescriptorsWatchesNothing() async {
    await #expect(processExitsWith: .success) {
      let test = try WatchTests()
      let next = dup(0)
      close(next)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let all = limit
      limit.rlim_cur = rlim_t(next)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let isWatched = SystemFiles().watch(test.path) { _ in } != nil
      limit = all
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      #expect(!isWatched)
      _ = try test.watch()
    }
  }

  @Test func aChildOfAForkWatchesForItself() async {
    await #expect(processExitsWith: .success) {
      let test = try WatchTests()
      let (watch, recorder) = try test.watch()
      let status = exitStatusOfChild {
        guard inotifyInstanceCount() == 0,
          let (watch, recorder) = try? test.watch(), (try? test.write()) != nil
        else { return 1 }
        defer { withExtendedLifetime(watch) {} }
        return recorder.first() == .written ? 0 : 2
      }
      try #require(status == 0)
      #expect(recorder.first() == .written)
      withExtendedLifetime(watch) {}
    }
  }
}

private final class Holder: @unchecked Sendable {
  var watch: (any FileWatch)?
}

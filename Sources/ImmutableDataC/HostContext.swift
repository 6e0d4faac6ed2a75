/// The context of a function of the host, with the function that releases it.
struct HostContext: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer?
  let release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?

  func callRelease() {
    self.release?(self.pointer)
  }
}

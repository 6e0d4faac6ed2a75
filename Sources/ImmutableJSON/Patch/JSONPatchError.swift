/// A JSON Patch or JSON Merge Patch could not be made or applied.
public struct JSONPatchError: Error, Hashable {
  public enum Code: Hashable, Sendable {
    /// It is no JSON Patch, or asks for something that the value cannot have.
    case invalid

    /// An operation points to where there is nothing.
    case notFound

    /// A `test` does not hold.
    case testFailed

    /// What would be made is beyond ``ValueLimits``, or takes too much work.
    case limit
  }

  public let code: Code

  /// The operation that failed, counted from 0; `nil` if none did: the patch is no array of
  /// operations, or there is no patch yet.
  public let operation: Int?

  /// Which operation failed and why, such as `operation 2: the member "path" is missing`.
  public let message: String
}

extension JSONPatchError: CustomStringConvertible {
  public var description: String {
    self.message
  }
}

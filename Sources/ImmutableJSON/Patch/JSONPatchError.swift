/// A JSON Patch or JSON Merge Patch could not be created or applied.
public struct JSONPatchError: Error, Hashable {
  public enum Code: Hashable, Sendable {
    /// It is not a JSON Patch, or an operation is impossible for the value.
    case invalid

    /// The pointer of an operation leads to nothing.
    case notFound

    /// A `test` operation failed.
    case testFailed

    /// The result would exceed ``ValueLimits``, or the operation takes too much work.
    case limit
  }

  public let code: Code

  /// The index of the failed operation; `nil` if the patch is not an array, is a JSON Merge Patch,
  /// or could not be created.
  public let operation: Int?

  /// A message such as `operation 2: the member "path" is missing`.
  public let message: String
}

extension JSONPatchError: CustomStringConvertible {
  public var description: String {
    self.message
  }
}

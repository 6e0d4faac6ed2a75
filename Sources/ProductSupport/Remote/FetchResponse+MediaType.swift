import StateEngine

extension FetchResponse {
  /// The media type in lower case, without parameters; `nil` if the response has no content type.
  package var mediaType: String? {
    self.header("Content-Type")?.prefix { $0 != ";" && $0 != " " }.lowercased()
  }
}

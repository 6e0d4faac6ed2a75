/// C strings that live as long as this object.
final class CStrings {
  private var texts: [UnsafeMutablePointer<CChar>] = []

  deinit {
    for text in self.texts {
      text.deallocate()
    }
  }

  func copy(_ text: String) -> UnsafePointer<CChar> {
    let characters = text.utf8CString
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: characters.count)
    for (index, character) in characters.enumerated() {
      (copy + index).initialize(to: character)
    }
    self.texts.append(copy)
    return UnsafePointer(copy)
  }
}

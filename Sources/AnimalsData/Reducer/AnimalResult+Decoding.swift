import ImmutableJSON

// Decodes the animal of a successful result directly. The containers that Swift's synthesized
// function creates for an enum take three times as long as the animal.
extension AnimalsAction.Data.PersistentSession.AnimalResult {
  private enum Keys {
    static let success = ObjectKey("success")
    static let animal = ObjectKey("animal")
  }

  /// The same cases, with the function that Swift synthesizes.
  private enum AnyResult: Decodable {
    case success(animal: Animal)
    case failure(error: String)
  }

  public init(from decoder: any Decoder) throws {
    if let success = try MemberDecoder(decoder)?.onlyMember(Keys.success) {
      self = .success(animal: try success.decode(Keys.animal))
      return
    }
    switch try AnyResult(from: decoder) {
    case .success(let animal): self = .success(animal: animal)
    case .failure(let error): self = .failure(error: error)
    }
  }
}

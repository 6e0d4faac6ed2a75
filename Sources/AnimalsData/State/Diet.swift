/// What an animal eats.
public enum Diet: String, Codable, Hashable, Sendable, CaseIterable {
  case herbivorous = "Herbivore"
  case carnivorous = "Carnivore"
  case omnivorous = "Omnivore"
}

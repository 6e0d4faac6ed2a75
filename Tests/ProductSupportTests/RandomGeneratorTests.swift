import ProductSupport
import Testing

@Suite struct RandomGeneratorTests {
  /// From the reference implementation of Sebastiano Vigna, https://prng.di.unimi.it/splitmix64.c.
  @Test func theNumbersAreThoseOfTheReferenceImplementation() {
    var generator = RandomGenerator(seed: 1_234_567)
    let numbers: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
    ]
    for number in numbers {
      #expect(generator.next() == number)
    }
  }
}

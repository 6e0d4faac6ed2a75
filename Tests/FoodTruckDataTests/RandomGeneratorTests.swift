import Testing

@testable import FoodTruckData

@Suite struct RandomGeneratorTests {
  /// The numbers of the reference implementation, https://prng.di.unimi.it/splitmix64.c.
  @Test(
    arguments: [
      (0, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]),
      (
        1_234_567,
        [
          6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
          4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
        ]
      ),
      (.max, [0xE4D9_7177_1B65_2C20, 0xE99F_F867_DBF6_82C9]),
    ] as [(UInt64, [UInt64])])
  func numbersAreThoseOfTheReference(_ seed: UInt64, _ numbers: [UInt64]) {
    var generator = RandomGenerator(seed: seed)
    for number in numbers {
      #expect(generator.next() == number)
    }
  }

  /// What a program generates from a seed must never change.
  @Test func derivedResultsAreFixed() {
    var generator = RandomGenerator(seed: 1)
    #expect((0..<8).map { _ in generator.integer(below: 10) } == [5, 7, 9, 4, 4, 7, 8, 5])
    #expect(generator.double() == 0.28550868439696664)
    #expect(generator.shuffled(Array(0..<10)) == [5, 9, 1, 0, 2, 6, 8, 4, 3, 7])
    #expect(generator.element(of: ["a", "b", "c"]) == "c")
    #expect((0..<4).map { _ in generator.integer(in: -3...3) } == [-3, -3, 0, -3])
  }

  @Test func boundsAreKept() {
    var generator = RandomGenerator(seed: 2)
    #expect(generator.integer(below: 0) == 0)
    #expect(generator.integer(below: 1) == 0)
    #expect(generator.element(of: [Int]()) == nil)
    #expect(generator.shuffled([Int]()) == [])
    for bound: UInt64 in [2, 3, 1 << 32, 1 << 63, (1 << 63) + 1, .max] {
      for _ in 0..<100 { #expect(generator.integer(below: bound) < bound) }
    }
    let ranges: [ClosedRange<Int64>] = [
      0...0, .min ... .min, .max ... .max, -5...5, .min...0, .min ... .max, .min ... .max - 1,
    ]
    for range in ranges {
      for _ in 0..<100 { #expect(range.contains(generator.integer(in: range))) }
    }
    for _ in 0..<1_000 { #expect(0..<1 ~= generator.double()) }
  }

  /// Counts stay within five standard deviations of the mean.
  @Test func resultsHaveTheSameProbability() {
    var generator = RandomGenerator(seed: 3)
    var integers = [Int](repeating: 0, count: 6)
    var orders: [[Int]: Int] = [:]
    for _ in 0..<6_000 {
      integers[Int(generator.integer(below: 6))] += 1
      orders[generator.shuffled([1, 2, 3]), default: 0] += 1
    }
    #expect(orders.count == 6)
    for count in integers + orders.values {
      #expect(abs(count - 1_000) < 145)
    }
    // Three quarters of all numbers: without rejection sampling, the multiples of 3 would be
    // twice as likely as the rest.
    let multiples = (0..<10_000).filter { _ in generator.integer(below: 3 << 62) % 3 == 0 }.count
    #expect(abs(multiples - 3_333) < 236)
  }
}

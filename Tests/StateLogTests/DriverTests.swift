import ImmutableJSON
import StateLog
import TestSupport
import Testing

/// What a log of a driver is made of.
@Suite struct DriverTests {
  private static func digits(_ hash: LogHash) -> String {
    withUnsafeBytes(of: hash.bytes) { bytes in
      bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
  }

  private static func hash(_ text: [UInt8], after hash: LogHash = LogHash()) -> LogHash {
    text.withUnsafeBytes { hash.after($0) }
  }

  /// As Python's hashlib has them: SHA-256 of 32 zeros and the text. The lengths are those at which
  /// the padding changes.
  @Test(arguments: [
    (0, "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"),
    (22, "c8b71bcd72517a98d3054cd08f18edcfc561e4714bb53d9cbbf3d3eb118f76af"),
    (23, "082aaa12d3d229f636e5e74f5c6620637c3bd00036f802534517b8846502938d"),
    (24, "092b7ed5375c85d115e819956e6b89f7773dcc76147aa9d9be0b1d5449ce9c75"),
    (31, "2a160cb61e745c18bb4e80fee4a262f5843f734fa81d3672e78be504cb7bebb9"),
    (32, "2c2fb84fa8186993e67fcbd47d8e0588cafe1fce65ea450e31ab422e1d585780"),
    (33, "8dd51b6e189b2ee71f5933a29730a7d249046a0010bceaa104ef34897a6c17cf"),
    (87, "6ed89a5f4a7cd2262b605494779f8629840a0d88d1085e415fd9dacfc25cb44f"),
    (1000, "a5b5ec6e69c408abbd33b2da30407b75a27e3c1cb7f57ad22cc882c572aae7f6"),
  ])
  func aTextHasItsHash(length: Int, digits: String) {
    #expect(Self.digits(Self.hash([UInt8](repeating: UInt8(ascii: "x"), count: length))) == digits)
  }

  @Test func hashesAreAChain() {
    var hash = LogHash()
    for length in 0..<300 {
      hash = Self.hash([UInt8](repeating: UInt8(ascii: "y"), count: length), after: hash)
    }
    #expect(
      Self.digits(hash) == "111f7d6a9cbecf14334c011c389a575c113cb498e01cf469e6e6bb8d2128e9ac")
  }

  @Test func aPlaceCountsEntries() {
    let place = Array("{}".utf8).withUnsafeBytes { LogPlace().after($0).after($0) }
    #expect(place.number == 2)
    #expect(place.hash == Self.hash(Array("{}".utf8), after: Self.hash(Array("{}".utf8))))
  }

  @Test func anOriginIsReadBack() {
    let origin = LogOrigin(randomBits: Array(0..<16))
    #expect(origin.digits == "000102030405060708090a0b0c0d0e0f")
    let read = Array(origin.digits.utf8).withUnsafeBytes { LogOrigin($0) }
    #expect(read == origin)
    for text in ["", "000102030405060708090a0b0c0d0e0", "000102030405060708090A0B0C0D0E0F"] {
      #expect(Array(text.utf8).withUnsafeBytes { LogOrigin($0) } == nil)
    }
  }

  @Test(arguments: [
    ("postgresql://host/db?log=x", "postgresql://host/db?log=x"),
    ("postgresql://ada:pw@host:5432/db?log=x", "postgresql://ada@host:5432/db?log=x"),
    ("postgresql://:pw@host/db", "postgresql://@host/db"),
    ("postgresql://ada:p@w?x@host/db?log=a%20b", "postgresql://ada@host/db?log=a%20b"),
    ("postgresql://ada:p/w@host/db?log=x", "postgresql://ada@host/db?log=x"),
    ("postgresql://host/db?log=ada@home", "postgresql://host/db?log=ada@home"),
    ("postgresql://h/db?password=pw&log=x&sslkey=k", "postgresql://h/db?log=x"),
    ("postgresql:///db?password=pw", "postgresql:///db"),
    ("x+y-1.0://", "x+y-1.0://"),
  ])
  func anAddressIsShownWithoutSecrets(text: String, name: String) {
    #expect(LogAddress(text)?.name == name)
  }

  @Test(arguments: ["", "/a/b", "a:b", "a:/b", "://x", "A://x", "1a://x", "a b://x", "./a://x"])
  func anythingElseIsAPath(text: String) {
    #expect(LogAddress(text) == nil)
  }
}

/// Texts of entries that a driver has kept.
@Suite struct EntryTextTests {
  private static let text = #"{"number":7,"time":-5,"writer":3,"actions":[7]}"#

  /// - Returns: The members of a text, if it is one of an entry.
  private static func read(_ text: String) -> (LineKind, Int, Int64, Int, String)? {
    Array(text.utf8).withUnsafeBytes { bytes in
      LogLine(entry: bytes).map { line in
        (line.kind, line.number, line.time, line.writer, String(decoding: line.data, as: UTF8.self))
      }
    }
  }

  @Test func aTextIsReadBack() throws {
    let line = try #require(Self.read(Self.text))
    #expect(line == (.actions, 7, -5, 3, #"[7]"#))
    let base = try #require(Self.read(#"{"number":0,"time":1,"base":{"state":0}}"#))
    #expect(base == (.base, 0, 1, 0, #"{"state":0}"#))
  }

  /// What is cut, doubled or changed is another entry or none, and never a trap.
  @Test func damagedTextsAreRefused() {
    let bytes = Array(Self.text.utf8)
    for end in 0..<bytes.count {
      #expect(Self.read(String(decoding: bytes[..<end], as: UTF8.self)) == nil)
    }
    // The head ends before the data.
    let head = bytes.count - "[7]}".utf8.count
    for index in 0..<head {
      for byte in [0, UInt8(ascii: "\""), UInt8(ascii: "x"), 0xFF] where byte != bytes[index] {
        var changed = bytes
        changed[index] = byte
        #expect(Self.read(String(decoding: changed, as: UTF8.self)) == nil)
      }
    }
  }

  @Test(arguments: [
    #"{"number":-1,"time":1,"writer":1,"actions":[]}"#,
    #"{"number":1234567890123456789,"time":1,"writer":1,"actions":[]}"#,
    #"{"number":1,"time":1,"writer":0,"actions":[]}"#, #"{"number":1,"time":1,"actions":[]}"#,
    #"{"number":1,"time":1,"writer":1,"base":{}}"#, #"{"number":1,"time":1,"writer":1,"log":{}}"#,
  ])
  func membersThatNoEntryHasAreRefused(text: String) {
    #expect(Self.read(text) == nil)
  }
}

/// Checks the results of the operations on a small collection. Ends the program if one is wrong.
func checkOperations<C: RecordCollection>(_ type: C.Type) {
  let count = 256
  let collection = C.records(count: count)
  let key = C.key(77)
  precondition(collection.count == count)
  precondition(C.a(collection.found(at: key)) == Record(number: 77).a)

  var copy = collection
  copy.insert(C.stored(Record(number: count)), at: C.key(count))
  precondition(copy.count == count + 1)
  precondition(C.a(copy.found(at: C.key(count))) == Record(number: count).a)

  copy = collection
  copy.update(at: key, a: -1)
  precondition(copy.count == count && C.a(copy.found(at: key)) == -1)

  copy = collection
  copy.delete(at: key)
  precondition(copy.count == count - 1)

  let numbers = (0..<count).map { Record(number: $0).a }
  precondition(collection.sorted().map { C.a(sorted: $0) } == numbers.sorted())
  precondition((0..<count).map { C.a(collection.found(at: C.key($0))) } == numbers)
}

import Benchmark
import Foundation
import HashTreeCollections
import ImmutableJSON

let benchmarks: @Sendable () -> Void = {
  let isQuick = ProcessInfo.processInfo.environment["BENCHMARK_QUICK"] != nil
  let sampling =
    isQuick
    ? Sampling(count: 1_024, samples: 3, duration: .seconds(1))
    : Sampling(count: 65_536, samples: 1_000, duration: .seconds(3))

  addAll([Record].self, "Array", sampling)
  addAll([Box].self, "Array, boxed", sampling)
  addAll([Int64: Record].self, "Dictionary", sampling)
  addAll([Int64: Box].self, "Dictionary, boxed", sampling)
  addAll(TreeDictionary<Int64, Record>.self, "TreeDictionary", sampling)
  addAll(TreeDictionary<Int64, Box>.self, "TreeDictionary, boxed", sampling)
  addAll(JSONArray.self, "JSONArray", sampling)
  addAll(JSONObject.self, "JSONObject", sampling)

  addSortByDescriptor([Int64: Record].self, "Dictionary", sampling, values: \.values)
  addSortByDescriptor(
    TreeDictionary<Int64, Record>.self, "TreeDictionary", sampling, values: \.values)
}

/// Adds the benchmarks of the six operations on a collection, after a check of their results.
private func addAll<C: RecordCollection>(_ type: C.Type, _ name: String, _ sampling: Sampling) {
  checkOperations(type)

  // One operation is too short for the clock.
  let many = 1_000
  add("count", name, of: sampling, operations: many) { (_: Measured<C>, _) in
  } body: { collection, _ in
    for _ in 0..<many {
      blackHole(collection.count)
    }
  }
  add("read", name, of: sampling, operations: many) { (measured: Measured<C>, sample) in
    measured.keys(sample: sample, count: many)
  } body: { collection, keys in
    for key in keys {
      blackHole(collection.found(at: key))
    }
  }

  // `collection` keeps its reference, so a change must copy.
  add("insert", name, of: sampling) { (measured: Measured<C>, sample) in
    let number = measured.collection.count + sample
    return (key: C.key(number), record: C.stored(Record(number: number)))
  } body: { collection, new in
    var copy = collection
    copy.insert(new.record, at: new.key)
    return copy
  }
  add("update", name, of: sampling) { (measured: Measured<C>, sample) in
    (key: measured.key(sample: sample), a: Int64(sample))
  } body: { collection, new in
    var copy = collection
    copy.update(at: new.key, a: new.a)
    return copy
  }
  add("delete", name, of: sampling) { (measured: Measured<C>, sample) in
    measured.key(sample: sample)
  } body: { collection, key in
    var copy = collection
    copy.delete(at: key)
    return copy
  }
  add("sort", name, of: sampling) { (_: Measured<C>, _) in
  } body: { collection, _ in
    collection.sorted()
  }
}

/// Adds a benchmark of sorting as the guide measures it.
private func addSortByDescriptor<C: RecordCollection, Values: Sequence<Record>>(
  _ type: C.Type, _ name: String, _ sampling: Sampling, values: KeyPath<C, Values>
) {
  add("sort by SortDescriptor", name, of: sampling) { (_: Measured<C>, _) in
  } body: { collection, _ in
    collection[keyPath: values].sorted(using: SortDescriptor(\Record.a))
  }
}

import Benchmark
import Foundation
import HashTreeCollections
import ImmutableJSON

let benchmarks: @Sendable () -> Void = {
  let isQuick = ProcessInfo.processInfo.environment["BENCHMARK_QUICK"] != nil
  let extent =
    isQuick
    ? Extent(count: 1_024, samples: 3, duration: .seconds(1))
    : Extent(count: 65_536, samples: 1_000, duration: .seconds(3))

  addAll([Record].self, "Array", extent)
  addAll([Box].self, "Array, boxed", extent)
  addAll([Int64: Record].self, "Dictionary", extent)
  addAll([Int64: Box].self, "Dictionary, boxed", extent)
  addAll(TreeDictionary<Int64, Record>.self, "TreeDictionary", extent)
  addAll(TreeDictionary<Int64, Box>.self, "TreeDictionary, boxed", extent)
  addAll(JSONArray.self, "JSONArray", extent)
  addAll(JSONObject.self, "JSONObject", extent)

  add("sort by SortDescriptor", "Dictionary", of: extent) {
    (collection: [Int64: Record], _, _) in
    collection.values.sorted(using: SortDescriptor(\.a))
  }
  add("sort by SortDescriptor", "TreeDictionary", of: extent) {
    (collection: TreeDictionary<Int64, Record>, _, _) in
    collection.values.sorted(using: SortDescriptor(\.a))
  }
}

/// Adds the benchmarks of the six operations on a collection, after a check of their results.
private func addAll<C: RecordCollection>(_ type: C.Type, _ name: String, _ extent: Extent) {
  checkOperations(type)
  let count = extent.count

  // Too short for one to be measured.
  add("count", name, of: extent, operations: 1_000) { (collection: C, keys, _) in
    for _ in keys {
      blackHole(collection.count)
    }
  }
  add("read", name, of: extent, operations: 1_000) { (collection: C, keys, _) in
    for key in keys {
      blackHole(collection.found(at: key))
    }
  }

  // These keep the collection as it was, so that a change must copy.
  add("insert", name, of: extent) { (collection: C, _, sample) in
    var copy = collection
    copy.insert(Record(number: count + sample), at: C.key(count + sample))
    return copy
  }
  add("update", name, of: extent) { (collection: C, keys, sample) in
    var copy = collection
    for key in keys {
      copy.update(at: key, a: Int64(sample))
    }
    return copy
  }
  add("delete", name, of: extent) { (collection: C, keys, _) in
    var copy = collection
    for key in keys {
      copy.delete(at: key)
    }
    return copy
  }
  add("sort", name, of: extent) { (collection: C, _, _) in
    collection.sorted()
  }
}

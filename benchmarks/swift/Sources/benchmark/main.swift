try measureMemory()
measureSort()
try measureSelect()
measureReceive()
try measureObservedOrders()
measureFirst()
for (count, name) in [
  (8, "8"), (64, "64"), (1_024, "1,024"), (65_536, "65,536"), (1_048_576, "1,048,576"),
] {
  measureMaps(count: count, name)
}

try measureMemory()
measureSort()
try measureSelect()
measureReceive()
try measureObservedOrders()
measureFirst()
for count in [8, 64, 1_024, 8_192, 65_536, 1_048_576] {
  measureMaps(count: count)
}

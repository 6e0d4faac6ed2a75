internal import CJanssonFunctions

/// The functions of jansson. Calls by name could reach functions of the program.
var bound: jansson_functions {
  jansson_functions().pointee
}

# The example shows every reading, and the last summary at the end. How many earlier summaries it
# shows depends on the speed of the loop.
execute_process(COMMAND ${PROGRAM} 6 OUTPUT_VARIABLE output RESULT_VARIABLE status)
set(expected [[
celsius  {"attic":25,"cellar":12,"kitchen":20}
celsius  [{"op":"replace","path":"/cellar","value":17}]
celsius  [{"op":"replace","path":"/kitchen","value":14}]
celsius  [{"op":"replace","path":"/attic","value":11}]
celsius  [{"op":"replace","path":"/cellar","value":18}]
celsius  [{"op":"replace","path":"/kitchen","value":15}]
celsius  [{"op":"replace","path":"/attic","value":12}]
summary  {"count":6,"warmest":18}
]])
string(REGEX REPLACE "summary[^\n]*\n(.)" "\\1" shown "${output}")
if(NOT status EQUAL 0 OR NOT shown STREQUAL expected)
  message(FATAL_ERROR "status ${status}, output:\n${output}")
endif()

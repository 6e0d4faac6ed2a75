# The example prints the expected board and state, reports the two invalid lines of its input, and
# continues from a state that it printed.
function(check expected_status)
  execute_process(COMMAND ${PROGRAM} ${ARGN}
    OUTPUT_VARIABLE output ERROR_VARIABLE messages RESULT_VARIABLE status)
  if(NOT status EQUAL expected_status OR NOT messages STREQUAL expected_messages
      OR NOT output STREQUAL expected_output)
    message(FATAL_ERROR "${ARGN}: status ${status}, output:\n${output}messages:\n${messages}")
  endif()
endfunction()

set(expected_messages "line 19: there is no task \"t12\"
line 24: nothing at \"/payload/title\": \"/payload\" has no member \"title\"
")
file(READ ${EXAMPLES}/board.json expected_output)
check(1 --json ${EXAMPLES}/board.jsonl)
file(READ ${EXAMPLES}/board.txt expected_output)
check(1 ${EXAMPLES}/board.jsonl)
set(expected_messages "")
# Nothing was dispatched to it.
string(REGEX REPLACE "\nUndo: [^\n]*\n$" "" expected_output "${expected_output}")
check(0 --state ${EXAMPLES}/board.json /dev/null)

# The example prints the expected board and state, reports the two invalid lines of its input, and
# continues with a board that it kept.
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
set(log ${CMAKE_CURRENT_BINARY_DIR}/board.imd)
file(REMOVE ${log} ${log}-snapshot)
string(REPLACE "           Unsaved changes" "" expected_output "${expected_output}")
check(1 --log ${log} ${EXAMPLES}/board.jsonl)
set(expected_messages "")
check(0 --log ${log} /dev/null)
file(REMOVE ${log} ${log}-snapshot)

# The example prints the value after each line of its input.
execute_process(COMMAND ${PROGRAM} counter selectValue
  INPUT_FILE ${INPUT} OUTPUT_VARIABLE output RESULT_VARIABLE status)
set(expected "1\n2\n1\n4\n3\n1\n2\n")
if(NOT status EQUAL 0 OR NOT output STREQUAL expected)
  message(FATAL_ERROR "status ${status}, output:\n${output}")
endif()

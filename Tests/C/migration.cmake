# A stage of the migration prints the expected text, and no message.
execute_process(COMMAND ${PROGRAM}
  OUTPUT_VARIABLE output ERROR_VARIABLE messages RESULT_VARIABLE status)
file(READ ${EXPECTED} expected)
if(NOT status EQUAL 0 OR NOT messages STREQUAL "" OR NOT output STREQUAL expected)
  message(FATAL_ERROR "status ${status}, output:\n${output}messages:\n${messages}")
endif()

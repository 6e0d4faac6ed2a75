# The example prints the balances after each change, and reports the two lines that are wrong.
execute_process(COMMAND ${PROGRAM} INPUT_FILE ${INPUT}
  OUTPUT_VARIABLE output ERROR_VARIABLE messages RESULT_VARIABLE status)
set(expected_messages [[
line 3: the amount must be positive
line 5: expected NAME AMOUNT WHAT, or undo
]])
set(expected_output [[
Ana        12.50    +0.00
--
Ana        12.50    -8.75
Ben        30.00    +8.75
--
Ana        12.50    -3.25
Ben        30.00   +14.25
Cleo        4.75   -11.00
--
Ana        12.50    -8.75
Ben        30.00    +8.75
--
Ana        20.00    -5.00
Ben        30.00    +5.00
--
]])
if(NOT status EQUAL 1 OR NOT messages STREQUAL expected_messages
    OR NOT output STREQUAL expected_output)
  message(FATAL_ERROR "status ${status}, output:\n${output}messages:\n${messages}")
endif()

# Runs PROGRAM with ARGUMENTS, which | separates, and compares its exit status with STATUS, and its one line on stderr with MESSAGE. A program that
# fails has written nothing into OUT.
string(REPLACE "|" ";" ARGUMENTS "${ARGUMENTS}")
file(REMOVE_RECURSE "${OUT}")
execute_process(COMMAND "${PROGRAM}" ${ARGUMENTS} --out "${OUT}" RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE error)
if(NOT status STREQUAL STATUS)
  message(FATAL_ERROR "exit status ${status}, expected ${STATUS}\n${output}${error}")
endif()
if(NOT error MATCHES "^${MESSAGE}\n$" OR error MATCHES "\n.")
  message(FATAL_ERROR "said\n${error}\nexpected one line\n${MESSAGE}")
endif()
if(EXISTS "${OUT}" OR NOT output STREQUAL "")
  message(FATAL_ERROR "it wrote something: ${output}")
endif()

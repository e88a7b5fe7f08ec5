# What the scripts of this folder share.
cmake_minimum_required(VERSION 3.25)

# Runs a command that has to succeed.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT result EQUAL 0)
    message("${text}")
    message(FATAL_ERROR "failed: ${ARGN}")
  endif()
endfunction()

# Sets `result` to what a command that has to succeed prints.
function(output_of result)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    message("${text}${errors}")
    message(FATAL_ERROR "failed: ${ARGN}")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Finds a program, or ends the calling script with what ctest takes for a skipped test.
macro(require_program variable)
  find_program(${variable} NAMES ${ARGN} NO_CACHE)
  if(NOT ${variable})
    message("skipped: there is no ${ARGN}")
    return()
  endif()
endmacro()

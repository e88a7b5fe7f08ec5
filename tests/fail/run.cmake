# A promised compile error. The first line of SOURCE is a comment with a regular expression that one of the first 15 lines of
# the compiler's message has to match (of the first 60 where the second line is `// stops a constant evaluation`, since the way
# to it comes first, and of the first 20 where it is `// and nothing else, behind the way to it`, which g++ cuts to ten steps;
# where it begins with `// and nothing else` that is the one error); with -DFIXED the same program compiles, so
# that it fails for the reason that it names (not asked where FIXED is OFF: fixed.cmake asks it of all that are read alike).
# Call: cmake -DCOMPILER=<c++> -DOPTIONS=<list> -DSOURCE=<file> [-DPRECOMPILED=<header>] [-DFIXED=OFF] -P run.cmake
cmake_minimum_required(VERSION 3.25)
set(ENV{LC_ALL} C)
include("${CMAKE_CURRENT_LIST_DIR}/matched.cmake")

file(STRINGS "${SOURCE}" expression LIMIT_COUNT 1)
file(READ "${SOURCE}" program)
set(lines 15)
if(program MATCHES "^[^\n]*\n// stops a constant evaluation")
  set(lines 60)
elseif(program MATCHES "^[^\n]*\n// and nothing else, behind the way to it")
  set(lines 20)
endif()
if(NOT expression MATCHES "^// (.+)$")
  message(FATAL_ERROR "${SOURCE}: the first line is to be `// <regular expression>`")
endif()
set(expression "${CMAKE_MATCH_1}")

# programs that say how they want the library read it themselves
if(PRECOMPILED AND NOT program MATCHES "#define RICCI" AND NOT program MATCHES "ricci/device.hpp")
  list(APPEND OPTIONS -include "${PRECOMPILED}")
endif()

plain_messages(plain "${COMPILER}")
execute_process(COMMAND "${COMPILER}" ${OPTIONS} ${plain} -fsyntax-only "${SOURCE}"
                RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(result EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiles, and must not")
endif()
matched(found "${text}" "${expression}" ${lines})
if(NOT found)
  message("${found_lines}")
  message(FATAL_ERROR "${SOURCE}: none of these lines matches ${expression}")
endif()

if(program MATCHES "^[^\n]*\n// and nothing else")
  string(REGEX MATCHALL "error: " errors "${text}")
  list(LENGTH errors count)
  if(NOT count EQUAL 1)
    message("${text}")
    message(FATAL_ERROR "${SOURCE}: ${count} errors, where one is to be enough")
  endif()
endif()

if(DEFINED FIXED AND NOT FIXED)
  return()
endif()
execute_process(COMMAND "${COMPILER}" ${OPTIONS} -DFIXED -fsyntax-only "${SOURCE}" RESULT_VARIABLE result ERROR_VARIABLE text)
if(NOT result EQUAL 0)
  string(SUBSTRING "${text}" 0 3000 text)
  message("${text}")
  message(FATAL_ERROR "${SOURCE} does not compile with -DFIXED")
endif()

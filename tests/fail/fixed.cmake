# The programs that must not compile, once they are put right (-DFIXED): then they do, so that each fails for the reason that it names. One
# after another they would take as long as their errors, most of it for what all of them have; so they are one file, each in a namespace
# of its own, behind all that they include. A message of the compiler names the program.
# Call: cmake -DCOMPILER=<c++> -DOPTIONS=<list> "-DSOURCES=<list>" -DPRECOMPILED=<header> -DFILE=<to be written> -P fixed.cmake
cmake_minimum_required(VERSION 3.25)
set(ENV{LC_ALL} C)
set(includes "")
set(programs "")
foreach(source IN LISTS SOURCES)
  cmake_path(GET source STEM name)
  file(READ "${source}" program)
  string(REGEX MATCHALL "#include [^\n]*" own "${program}")
  list(APPEND includes ${own})
  string(REGEX REPLACE "#include [^\n]*" "" program "${program}")
  string(APPEND programs "namespace program_${name} {\n#line 1 \"${source}\"\n${program}\n}\n")
endforeach()
list(REMOVE_DUPLICATES includes)
list(JOIN includes "\n" includes)
file(WRITE "${FILE}" "${includes}\n${programs}")

execute_process(COMMAND "${COMPILER}" ${OPTIONS} -include "${PRECOMPILED}" -DFIXED -w -fsyntax-only "${FILE}" RESULT_VARIABLE result ERROR_VARIABLE text)
if(NOT result EQUAL 0)
  string(SUBSTRING "${text}" 0 3000 text)
  message("${text}")
  message(FATAL_ERROR "a program of tests/fail does not compile with -DFIXED")
endif()

# Compiles program.cpp with -g -O0, has gdb print what commands.gdb says, and compares it with printed.txt.
# Call: cmake -DCOMPILER=<c++> -DOPTIONS=<list> -DPRINTERS=<ricci.py> -DFOLDER=<for outputs> -P printers.cmake
cmake_minimum_required(VERSION 3.25)
find_program(gdb gdb)
if(NOT gdb)
  message("skipped: there is no gdb")
  return()
endif()
execute_process(COMMAND "${gdb}" -nx -batch -ex "python print('has Python')" OUTPUT_VARIABLE python ERROR_QUIET)
if(NOT python MATCHES "has Python")
  message("skipped: this gdb has no Python")
  return()
endif()

file(MAKE_DIRECTORY "${FOLDER}")
execute_process(COMMAND "${COMPILER}" ${OPTIONS} -g -O0 "${CMAKE_CURRENT_LIST_DIR}/program.cpp" -o "${FOLDER}/program"
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${gdb}" -nx -batch -x "${PRINTERS}" -x "${CMAKE_CURRENT_LIST_DIR}/commands.gdb" "${FOLDER}/program"
                OUTPUT_VARIABLE printed ERROR_VARIABLE errors TIMEOUT 60)
if(printed MATCHES "ptrace: Operation not permitted|Could not trace the inferior" OR errors MATCHES "ptrace|Could not trace")
  message("skipped: gdb may not trace programs here")
  return()
endif()

# what gdb says of the way to where it stopped is not of interest
string(REGEX REPLACE "\n(Breakpoint|#1|[0-9]+\t|Using host|\\[Thread|warning:)[^\n]*" "" printed "\n${printed}")
string(REGEX REPLACE "\n(Breakpoint|#1|[0-9]+\t|Using host|\\[Thread|warning:)[^\n]*" "" printed "${printed}")
string(REGEX REPLACE "\n+" "\n" printed "${printed}")
string(STRIP "${printed}" printed)
file(READ "${CMAKE_CURRENT_LIST_DIR}/printed.txt" expected)
string(STRIP "${expected}" expected)
if(NOT printed STREQUAL expected)
  file(WRITE "${FOLDER}/printed.txt" "${printed}\n")
  message(FATAL_ERROR "gdb printed\n${printed}\n\n${errors}\nand not what printed.txt says")
endif()

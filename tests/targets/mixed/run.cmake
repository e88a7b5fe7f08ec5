# Files with different options in one program, each with code of its own:
#  * no object holds a function of the library that a linker would merge with another object's, but the virtual members of the
#    exceptions, which are objects of all files;
#  * in the program, no function that could be the base part's has an instruction that only the wide part may have, though the
#    wide part is linked first and its functions win where there are several;
#  * it runs, and all parts compute the same.
# Call: cmake -DCOMPILER=<c++> -DOPTIONS=<list> -DWIDE=<list> -DFOLDER=<for outputs> -DNM=<nm> -DOBJDUMP=<objdump> -P run.cmake
cmake_minimum_required(VERSION 3.25)
set(ENV{LC_ALL} C)
set(here "${CMAKE_CURRENT_LIST_DIR}")
file(MAKE_DIRECTORY "${FOLDER}")

set(parts wide base aborts)
set(flags_wide -O3 ${WIDE} -ffast-math)
set(flags_base -O2)
set(flags_aborts -O1 -fno-exceptions -fno-rtti)

# compiled all at once, see tests/structure/alone.cmake
set(commands COMMAND "${COMPILER}" ${OPTIONS} -O1 -c "${here}/main.cpp" -o "${FOLDER}/main.o")
foreach(part IN LISTS parts)
  list(APPEND commands COMMAND "${COMPILER}" ${OPTIONS} ${flags_${part}} -DPART=part_${part} -c "${here}/part.cpp" -o "${FOLDER}/${part}.o")
endforeach()
execute_process(${commands} RESULTS_VARIABLE results ERROR_VARIABLE text)
if(NOT results MATCHES "^[0;]+$")
  string(SUBSTRING "${text}" 0 4000 text)
  message("${text}")
  message(FATAL_ERROR "a part does not compile")
endif()

# ---- names ----

# the name of the abi namespace under the options of a part
file(WRITE "${FOLDER}/abi.cpp" "#include <ricci/core/abi.hpp>\nabi is RICCI_ABI\n")
set(seen "")
foreach(part IN LISTS parts)
  execute_process(COMMAND "${COMPILER}" ${OPTIONS} ${flags_${part}} -E -P "${FOLDER}/abi.cpp" OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  if(NOT text MATCHES "abi is ([a-z0-9_]+)")
    message(FATAL_ERROR "no name of an abi namespace in\n${text}")
  endif()
  string(LENGTH "${CMAKE_MATCH_1}" length)
  set(abi_${part} "${length}${CMAKE_MATCH_1}") # as symbols spell it
  if("${abi_${part}}" IN_LIST seen)
    message(FATAL_ERROR "two parts have the abi ${abi_${part}}")
  endif()
  list(APPEND seen "${abi_${part}}")
endforeach()

foreach(part IN LISTS parts)
  execute_process(COMMAND "${NM}" --defined-only "${FOLDER}/${part}.o" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL " W _Z[^\n]*" symbols "${symbols}")
  set(own 0)
  foreach(symbol IN LISTS symbols)
    if(NOT symbol MATCHES "5ricci" OR symbol MATCHES "^ W _ZNK?St" OR symbol MATCHES "^ W _ZN5ricci[0-9]+[a-z_]*errorD[012]Ev$"
       OR symbol STREQUAL " W _ZNK5ricci5error4whatEv")
      continue()
    endif()
    if(symbol MATCHES "${abi_${part}}")
      math(EXPR own "${own} + 1")
    else()
      message(SEND_ERROR "${part}.o holds a function that is not named after its options:${symbol}")
    endif()
  endforeach()
  message("${part}.o: ${own} functions named after ${abi_${part}}")
  if(own LESS 50)
    message(SEND_ERROR "too few for the check to mean anything")
  endif()
endforeach()

# ---- code ----

execute_process(COMMAND "${COMPILER}" "${FOLDER}/wide.o" "${FOLDER}/aborts.o" "${FOLDER}/base.o" "${FOLDER}/main.o" -pthread -o "${FOLDER}/mixed"
                COMMAND_ERROR_IS_FATAL ANY)
if(WIDE)
  # functions of the program that other files than the wide part's may call, and those with newer instructions
  execute_process(COMMAND "${NM}" --defined-only "${FOLDER}/mixed" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL " [WT] [A-Za-z_][^\n]*" symbols "${symbols}")
  list(TRANSFORM symbols REPLACE "^ [WT] " "")
  execute_process(COMMAND "${OBJDUMP}" -d --no-show-raw-insn --no-addresses "${FOLDER}/mixed" OUTPUT_VARIABLE code COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE ";" " " code "${code}")
  string(REGEX REPLACE "[][]" "" code "${code}")
  string(REPLACE "\n<" ";<" code "${code}")
  set(wide 0)
  foreach(function IN LISTS code)
    if(NOT function MATCHES "^<([^>]*)>:" OR NOT function MATCHES "[%][yz]mm|\tv[a-z0-9]+ +[^\n]*[%]xmm|\t(shlx|shrx|sarx|rorx|andn|mulx|bzhi|pdep|pext) ")
      continue()
    endif()
    set(name "${CMAKE_MATCH_0}")
    string(REGEX REPLACE "^<([^>]*)>:.*" "\\1" name "${function}")
    if(name MATCHES "${abi_wide}|9part_wide")
      math(EXPR wide "${wide} + 1")
    elseif(name IN_LIST symbols)
      message(SEND_ERROR "the program has this function once, with instructions of the wide part: ${name}")
    endif()
  endforeach()
  message("${wide} functions of the wide part have instructions of its own")
  if(wide LESS 20)
    message(SEND_ERROR "too few for the check to mean anything")
  endif()
endif()

execute_process(COMMAND "${FOLDER}/mixed" OUTPUT_VARIABLE text RESULT_VARIABLE result)
message("${text}")
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the program ended with ${result}")
endif()

# The name of the abi namespace (core/config.hpp): short, and another one for every option that changes the code of a loop.
# Call: cmake -DCOMPILER=<c++> -DOPTIONS=<list> -DFOLDER=<for outputs> -P abi.cmake
cmake_minimum_required(VERSION 3.25)
file(WRITE "${FOLDER}/abi.cpp" "#include <ricci/core/abi.hpp>\nabi is RICCI_ABI\n")
execute_process(COMMAND "${COMPILER}" -dumpmachine OUTPUT_VARIABLE machine)

set(alternatives -O2 -O0 "-O0 -DNDEBUG" "-O2 -DRICCI_CHECKED=1" "-O2 -fno-exceptions" "-O2 -ffast-math" "-O2 -DRICCI_NO_HEAP" "-O2 -DRICCI_SMALL_STACK=1"
    "-O2 -DRICCI_NO_HEAP -DRICCI_SMALL_STACK=1")
execute_process(COMMAND "${COMPILER}" ${OPTIONS} -E -x c++ -include xsimd/xsimd.hpp /dev/null RESULT_VARIABLE status
                OUTPUT_QUIET ERROR_QUIET)
if(status EQUAL 0)
  list(APPEND alternatives "-O2 -DRICCI_NO_XSIMD")
endif()
if(machine MATCHES "^x86_64")
  foreach(option sse3 ssse3 sse4.1 sse4.2 avx avx2 avx512f lzcnt bmi2 movbe gfni
          "avx -mno-popcnt" "avx -mfma" "avx -mxop" "avx2 -mavxvnni" "avx512f -mavx512vnni" "avx512f -mavx512vbmi2"
          "avx512f -mavx512vl -mavx512dq -mavx512bw" "avx512f -mavx512vl -mavx512dq -mavx512bw -mavx512fp16")
    list(APPEND alternatives "-O2 -m${option}")
  endforeach()
endif()

set(seen "")
foreach(options IN LISTS alternatives)
  separate_arguments(words UNIX_COMMAND "${options}")
  execute_process(COMMAND "${COMPILER}" ${OPTIONS} ${words} -E -P "${FOLDER}/abi.cpp" OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  if(NOT text MATCHES "abi is (v[a-z0-9]+)\n")
    message(FATAL_ERROR "${options}: no name of an abi namespace in\n${text}")
  endif()
  set(name "${CMAKE_MATCH_1}")
  string(LENGTH "${name}" length)
  if(length GREATER 9)
    message(SEND_ERROR "${options}: ${name} is long")
  endif()
  if(name IN_LIST seen)
    message(SEND_ERROR "${options}: ${name} is the name of other options, too")
  endif()
  list(APPEND seen "${name}")
  message("${name}  ${options}")
endforeach()

# examples/cortex_m for a Cortex-M4: it compiles without a warning, is linked with nothing of a heap, of exceptions, streams and
# threads, keeps its weights out of RAM, and says on an emulated board what it says on this PC. Prints how much memory it takes.
# Call: cmake -DRICCI=<source folder> -DGENERATOR=<name> -DPC_PROGRAM=<cortex_m of this PC> -DFOLDER=<build> -P cortex_m4.cmake
cmake_minimum_required(VERSION 3.25)
set(ENV{LC_ALL} C)
unset(ENV{CXXFLAGS})
include("${RICCI}/cmake/toolchains/cortex-m4.cmake") # for the emulator

execute_process(COMMAND "${CMAKE_COMMAND}" -S "${RICCI}" -B "${FOLDER}" -G "${GENERATOR}" --toolchain "${RICCI}/cmake/toolchains/cortex-m4.cmake"
                        -DCMAKE_BUILD_TYPE=MinSizeRel -DRICCI_TESTS=OFF -DRICCI_EXAMPLES=ON -DRICCI_WARNINGS_AS_ERRORS=ON
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${FOLDER}" RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT result EQUAL 0)
  message("${text}")
  message(FATAL_ERROR "it does not compile, or only with warnings")
endif()
set(program "${FOLDER}/examples/cortex_m/cortex_m.elf")

# ---- what it is linked with, and where ----

execute_process(COMMAND arm-none-eabi-nm -C "${program}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]*(malloc|free_r|sbrk|operator (new|delete)|__cxa_|_Unwind|pthread|ostream|locale|printf)[^\n]*" unwanted "${symbols}")
foreach(symbol IN LISTS unwanted)
  message(SEND_ERROR "it is linked with: ${symbol}")
endforeach()
foreach(constant learned pictures)
  if(NOT symbols MATCHES "\n00[0-9a-f]+ [VRr] ${constant}<[^\n]*>\n") # flash begins at 0, RAM at 0x20000000
    message(SEND_ERROR "`${constant}` is not in flash")
  endif()
endforeach()

# ---- what it says ----

execute_process(COMMAND "${PC_PROGRAM}" OUTPUT_VARIABLE expected COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} "${program}" OUTPUT_VARIABLE said ERROR_VARIABLE report RESULT_VARIABLE result TIMEOUT 60)
if(NOT result EQUAL 0 OR NOT said STREQUAL expected)
  message("${said}${report}")
  message(SEND_ERROR "on the board it ended with ${result} and said that, not what it says here:\n${expected}")
endif()
if(NOT expected MATCHES "read right")
  message(SEND_ERROR "nothing was compared")
endif()

# ---- how large it is ----

execute_process(COMMAND arm-none-eabi-size -A "${program}" OUTPUT_VARIABLE sizes COMMAND_ERROR_IS_FATAL ANY)
foreach(section text rodata data bss)
  if(NOT sizes MATCHES "\n\\.${section} +([0-9]+)")
    message(FATAL_ERROR "no section .${section} in\n${sizes}")
  endif()
  set(${section} "${CMAKE_MATCH_1}")
endforeach()
if(NOT report MATCHES "stack +([0-9]+) bytes")
  message(FATAL_ERROR "no report of the stack in `${report}`")
endif()
set(stack "${CMAKE_MATCH_1}")
math(EXPR ram "${data} + ${bss} + ${stack}")
message("code ${text} bytes, constants ${rodata} bytes, RAM ${ram} bytes (data ${data}, bss ${bss}, stack ${stack})")
# a tenth above what was measured when this was written
if(text GREATER 10300 OR rodata GREATER 9600 OR ram GREATER 4400)
  message(SEND_ERROR "more than it may take: 10300, 9600 and 4400 bytes")
endif()

# The header that cmake/amalgamate.cmake makes: a program prints the same with it, and with nothing else of ricci on its include
# path, as with the headers. Call: cmake -DRICCI=<source folder> -DCOMPILER=<c++> -DOPTIONS=<list> -DFOLDER=<for outputs>
# -P amalgamated.cmake
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
file(REMOVE_RECURSE "${FOLDER}")

run("${CMAKE_COMMAND}" -P "${RICCI}/cmake/amalgamate.cmake" "${FOLDER}/include/ricci/ricci.hpp")
file(STRINGS "${FOLDER}/include/ricci/ricci.hpp" lines REGEX "^#pragma once|^#include <ricci/")
if(NOT lines STREQUAL "#pragma once")
  message(FATAL_ERROR "the amalgamated header has these lines, not one #pragma once: ${lines}")
endif()

set(alone ${OPTIONS})
list(REMOVE_ITEM alone "-I${RICCI}/include")
set(source "${CMAKE_CURRENT_LIST_DIR}/results.cpp")
run("${COMPILER}" ${OPTIONS} "${source}" -o "${FOLDER}/headers")
run("${COMPILER}" ${alone} "-I${FOLDER}/include" "${source}" -o "${FOLDER}/one_header")
output_of(expected "${FOLDER}/headers")
output_of(found "${FOLDER}/one_header")
if(NOT found STREQUAL expected OR expected STREQUAL "")
  message("${expected}\nand with the amalgamated header:\n${found}")
  message(FATAL_ERROR "the amalgamated header gives other results")
endif()

# Conditions, on a library of a few lines: other headers stay under theirs; one of ours that is needed outside, too, is refused.
set(small "${FOLDER}/small")
file(COPY "${RICCI}/cmake" "${RICCI}/LICENSE" DESTINATION "${small}")
file(COPY "${RICCI}/include/ricci/core/config.hpp" DESTINATION "${small}/include/ricci/core")
file(WRITE "${small}/include/ricci/a.hpp" "#pragma once\n#include <ricci/core/config.hpp>\nint a = ';';")
file(WRITE "${small}/include/ricci/ricci.hpp"
     "#pragma once\n#include <ricci/core/config.hpp>\n#if A\n#include <x.hpp>\n#include <ricci/a.hpp>\n#endif\nint b;\n")
run("${CMAKE_COMMAND}" -P "${small}/cmake/amalgamate.cmake" "${small}/one.hpp")
file(READ "${small}/one.hpp" text)
string(REGEX REPLACE "//[^\n]*" "" code "${text}")
string(REGEX REPLACE "\n\n+" "\n" code "${code}")
string(FIND "${code}" "\n#if A\n#include <x.hpp>\nint a = ';';\n#endif\nint b;\n" where)
if(where LESS 0)
  message(FATAL_ERROR "conditions have moved:\n${text}")
endif()
file(APPEND "${small}/include/ricci/ricci.hpp" "#include <ricci/a.hpp>\n")
execute_process(COMMAND "${CMAKE_COMMAND}" -P "${small}/cmake/amalgamate.cmake" "${small}/two.hpp"
                RESULT_VARIABLE result ERROR_VARIABLE text)
if(result EQUAL 0 OR NOT text MATCHES "a.hpp is put under an #if")
  message(FATAL_ERROR "a header that is needed with and without a condition is taken:\n${text}")
endif()

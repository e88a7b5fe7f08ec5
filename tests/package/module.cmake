# The module include/ricci/ricci.cppm, compiled by hand: a program that imports it prints the same as with the headers.
# Call: cmake -DRICCI=<source folder> -DCOMPILER=<clang++> -DOPTIONS=<list> -DFOLDER=<for outputs> -P module.cmake
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")

set(warnings -Wall -Wextra -Wconversion -Wshadow -Werror)
run("${COMPILER}" ${OPTIONS} ${warnings} --precompile "${RICCI}/include/ricci/ricci.cppm" -o "${FOLDER}/ricci.pcm")
run("${COMPILER}" -c "${FOLDER}/ricci.pcm" -o "${FOLDER}/ricci.o")

set(alone ${OPTIONS})
list(REMOVE_ITEM alone "-I${RICCI}/include")
set(source "${CMAKE_CURRENT_LIST_DIR}/results.cpp")
run("${COMPILER}" ${alone} -DIMPORT_RICCI "-fmodule-file=ricci=${FOLDER}/ricci.pcm" "${source}" "${FOLDER}/ricci.o" -o "${FOLDER}/module")
run("${COMPILER}" ${OPTIONS} "${source}" -o "${FOLDER}/headers")
output_of(expected "${FOLDER}/headers")
output_of(found "${FOLDER}/module")
if(NOT found STREQUAL expected OR expected STREQUAL "")
  message("${expected}\nand with the module:\n${found}")
  message(FATAL_ERROR "the module gives other results")
endif()

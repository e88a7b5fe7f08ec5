# Configures, builds and runs user/. Call: cmake -DWAY=<subdirectory|package> -DRICCI=<source folder> -DRICCI_BUILD=<its build,
# for the package> -DCOMPILER=<c++> -DGENERATOR=<name> -DFOLDER=<for outputs> -P run.cmake
cmake_minimum_required(VERSION 3.25)
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT result EQUAL 0)
    message("${text}")
    message(FATAL_ERROR "failed: ${ARGN}")
  endif()
endfunction()

file(REMOVE_RECURSE "${FOLDER}")
if(WAY STREQUAL "package")
  run("${CMAKE_COMMAND}" --install "${RICCI_BUILD}" --prefix "${FOLDER}/installed")
  set(where "-DCMAKE_PREFIX_PATH=${FOLDER}/installed")
else()
  set(where "-DRICCI_FOLDER=${RICCI}")
endif()
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/user" -B "${FOLDER}/build" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}"
    "${where}")
run("${CMAKE_COMMAND}" --build "${FOLDER}/build")
run("${FOLDER}/build/program")

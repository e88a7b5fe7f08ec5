# docs/array_api.md is what the driver makes of its functions and of the lists beside this file; no function of the standard is missing,
# and none is listed as not there that is. With -DUPDATE=ON: writes the page.
# Call: cmake -DRICCI=<source folder> -DDRIVER=<the driver> -P table.cmake
cmake_minimum_required(VERSION 3.25)
set(page "${RICCI}/docs/array_api.md")
execute_process(COMMAND "${DRIVER}" table "${RICCI}/tests/arrays" "${RICCI}/include/ricci/ricci.cppm" OUTPUT_VARIABLE made RESULT_VARIABLE failed)
if(NOT failed EQUAL 0)
  message(SEND_ERROR "The lists in tests/arrays do not fit what there is (above).")
endif()
if(UPDATE)
  file(WRITE "${page}" "${made}")
  return()
endif()
file(READ "${page}" text)
if(NOT made STREQUAL text)
  message(SEND_ERROR "docs/array_api.md is not what it is made of. To make it anew: cmake --build <build> --target array_api")
endif()

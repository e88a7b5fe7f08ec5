# nvcc compiles a program with the device context, with what it only warns of and then leaves out as errors, to PTX, which a driver
# compiles on; and the program does what it should, or says that there is no GPU.
# Call: cmake -DNVCC=<nvcc> -DHOST=<c++> -DOPTIONS=<list> -DSOURCES=<list> -DWORK=<folder> -DWITHOUT=<regex> [-DWIDE=ON] -P run.cmake
# WITHOUT: what the program says, and ends with 77, where there is no GPU.
# WIDE: it is optimised, and a kernel is to access memory by 128 bits.
cmake_minimum_required(VERSION 3.25)
set(options ${OPTIONS} -O1 -gencode arch=compute_90,code=compute_90 -ccbin "${HOST}" --expt-relaxed-constexpr
    -diag-error=20011,20013,20014,20015 -diag-suppress=20012,128,186,1301)
execute_process(COMMAND "${NVCC}" --help OUTPUT_VARIABLE help)
if(NOT WIDE AND help MATCHES "--Ofast-compile")
  list(APPEND options --Ofast-compile=max)
endif()
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
execute_process(COMMAND "${NVCC}" ${options} --keep --keep-dir "${WORK}" -x cu ${SOURCES} -o "${WORK}/program" -lcublas
                RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "nvcc does not compile ${SOURCES}:\n${text}")
endif()
if(WIDE)
  file(GLOB ptx "${WORK}/*.ptx")
  foreach(access "ld[.a-z]*[.]v4[.]f32" "st[.a-z]*[.]v4[.]f32")
    file(STRINGS "${ptx}" lines REGEX "${access}" LIMIT_COUNT 1)
    if(NOT lines)
      message(FATAL_ERROR "no kernel has ${access}: memory is accessed element by element")
    endif()
  endforeach()
endif()
execute_process(COMMAND "${WORK}/program" RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(status EQUAL 77)
  if(NOT text MATCHES "${WITHOUT}")
    message(FATAL_ERROR "without a GPU the program says: ${text}")
  endif()
elseif(NOT status EQUAL 0)
  message(FATAL_ERROR "the program on the GPU: ${text}")
endif()
message("${text}")

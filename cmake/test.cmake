# Builds the whole test suite and runs it:  cmake -P cmake/test.cmake [options] [-- arguments of ctest]
# The options stand in setup.cmake.
include("${CMAKE_CURRENT_LIST_DIR}/setup.cmake")
read_command_line()
provide(doctest/doctest.h=doctest-dev xsimd/xsimd.hpp=libxsimd-dev zlib.h=zlib1g-dev thrust/version.h=libthrust-dev)
if(configuration)
  configure("${configuration}")
else()
  configure(test -DRICCI_TESTS=ON -DRICCI_EXAMPLES=ON -DRICCI_BENCHMARKS=OFF)
endif()
build()
number_of_jobs(jobs)
find_program(CTEST ctest NO_CACHE REQUIRED)
execute_process(COMMAND "${CTEST}" --test-dir "${build_dir}" --output-on-failure --no-tests=error --parallel ${jobs} ${passed_on}
                RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "Some tests failed")
endif()

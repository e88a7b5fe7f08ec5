# Builds the digits example and runs it:  cmake -P cmake/demo.cmake [options] [-- --seed 3 --epochs 10 ...]
# The options stand in setup.cmake; what follows `--` goes to the program.
include("${CMAKE_CURRENT_LIST_DIR}/setup.cmake")
read_command_line()
provide(xsimd/xsimd.hpp=libxsimd-dev zlib.h=zlib1g-dev)
configure(demo -DRICCI_TESTS=OFF -DRICCI_EXAMPLES=ON -DRICCI_BENCHMARKS=OFF)
build(digits)
file(GLOB_RECURSE programs LIST_DIRECTORIES false "${build_dir}/examples/digits/digits")
run_program(${programs} ${passed_on})

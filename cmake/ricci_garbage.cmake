# g++ collects garbage whenever what it holds has doubled, and takes an eighth of its time for that with programs of this size. It does not
# before it holds twice this (in KiB): half of what there is for each core. The option is in `garbage_option`, which is empty for other compilers.
set(garbage_option "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)
  cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
  math(EXPR quarter "${memory} * 256 / ${cores}")
  if(quarter GREATER 131072) # what g++ takes for the least by itself
    set(garbage_option --param=ggc-min-heapsize=${quarter})
  endif()
endif()

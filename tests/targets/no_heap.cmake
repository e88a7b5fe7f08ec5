# Builds no_heap.cpp, which must not be linked with anything of the heap, and runs it; with SIMD and without, with the small buffers
# of bare machines and without. Call: cmake -DCOMPILER=<c++> -DOPTIONS=<list> -DNM=<nm> -DPROGRAM=<output> -P no_heap.cmake
cmake_minimum_required(VERSION 3.25)
foreach(more "" "-DRICCI_NO_XSIMD" "-DRICCI_SMALL_STACK=1;-DRICCI_NO_THREADS")
  execute_process(COMMAND "${COMPILER}" ${OPTIONS} -O1 -fno-exceptions -fno-rtti -DRICCI_NO_HEAP ${more} "${CMAKE_CURRENT_LIST_DIR}/no_heap.cpp"
                          -o "${PROGRAM}" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${NM}" -u "${PROGRAM}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  if(symbols MATCHES "[^\n]* (malloc|free|_Zn[wa]|_Zd[la]|aligned_alloc|posix_memalign)[^\n]*")
    message(SEND_ERROR "${more}: the program is linked with${CMAKE_MATCH_0}")
  endif()
  execute_process(COMMAND "${PROGRAM}" RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(SEND_ERROR "${more}: ended with ${result}")
  endif()
endforeach()

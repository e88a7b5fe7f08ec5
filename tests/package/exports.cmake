# The module exports whatever a program may name: all operations of include/ricci/ops with their types, operators,
# and each rc::... in tests/ops/list.hpp, the README, the documentation, the examples and the tests of what programs use.
# Call: cmake -DRICCI=<source folder> -P exports.cmake
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")

# namespaces and nodes of expressions that tests look into, and functions that no program calls
set(not_public core exec expr ir plan shapes simd tracing transform tree in_place_leaf node lazy_view gathered masked)
# what ricci/device.hpp and the headers for other libraries have, which are no modules
list(APPEND not_public hdf5 device device_error device_memory device_tensor dlpack from_dlpack to_dlpack from_eigen to_eigen from_mdspan to_mdspan to_vector any_tensor any_unique_result visit orders promote_types)
# what has a header of its own: <ricci/linalg.hpp>, <ricci/optimize.hpp>, <ricci/fft.hpp>, <ricci/random.hpp>, <ricci/special.hpp>, <ricci/io.hpp>, <ricci/conv.hpp>, <ricci/attention.hpp>, <ricci/data.hpp>, <ricci/nn.hpp>
list(APPEND not_public lower upper unit_diagonal complete full_matrices optimize fft random special shape_of io files conv conv_transpose conv_options pool_options pool_zeros window_size max_pool avg_pool global_max_pool global_avg_pool adaptive_avg_pool upsample pixel_shuffle resize resize_nearest k_max_pool attention attention_options data nn)

file(READ "${RICCI}/include/ricci/ricci.cppm" lines)
string(REGEX REPLACE "//[^\n]*" "" lines "${lines}")
string(REGEX MATCHALL "ricci::(linalg::)?[A-Za-z0-9_]+" exported "${lines}")
list(TRANSFORM exported REPLACE "ricci::(linalg::)?" "")
string(REGEX MATCHALL "operator[^,;A-Za-z \\]+" exported_operators "${lines}")

file(GLOB headers "${RICCI}/include/ricci/ops/*.hpp")
set(names "")
foreach(header IN LISTS headers)
  file(STRINGS "${header}" lines REGEX "^inline constexpr [a-z0-9_]+_(t|function) [a-z0-9_]+{};")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "constexpr ([a-z0-9_]+) ([a-z0-9_]+)" line "${line}")
    set(type ${CMAKE_MATCH_1})
    list(APPEND names ${CMAKE_MATCH_2})
    if(type MATCHES "_t$")
      list(APPEND names ${type})
    endif()
  endforeach()
endforeach()
list(LENGTH names count)
if(count LESS 120)
  message(FATAL_ERROR "only ${count} names of operations found under include/ricci/ops: has their form changed?")
endif()

file(GLOB_RECURSE files "${RICCI}/docs/*.md" "${RICCI}/examples/*.?pp" "${RICCI}/tests/tensor/*.?pp" "${RICCI}/tests/autodiff/*.?pp"
     "${RICCI}/tests/found/*.?pp" "${RICCI}/tests/device/*.?pp" "${RICCI}/benchmarks/*.?pp")
foreach(file IN LISTS files ITEMS "${RICCI}/README.md" "${RICCI}/tests/ops/list.hpp")
  file(READ "${file}" text)
  string(REGEX MATCHALL "[^A-Za-z0-9_]rc::[A-Za-z0-9_]+" found "${text}")
  list(TRANSFORM found REPLACE ".*rc::" "")
  list(APPEND names ${found})
endforeach()

set(operators "")
file(GLOB_RECURSE headers "${RICCI}/include/ricci/*.hpp")
foreach(header IN LISTS headers)
  file(STRINGS "${header}" lines REGEX "^([^ /].* )?operator[^A-Za-z (]+\\(")
  string(REGEX MATCHALL "operator[^A-Za-z (]+" found "${lines}")
  list(APPEND operators ${found})
endforeach()
if(NOT "operator<<" IN_LIST operators OR NOT "operator+" IN_LIST operators)
  message(FATAL_ERROR "operators on tensors are not found: has their form changed?")
endif()

list(APPEND names ${operators})
list(REMOVE_DUPLICATES names)
list(REMOVE_ITEM names ${not_public} ${exported} ${exported_operators})
if(names)
  message(FATAL_ERROR "include/ricci/ricci.cppm does not export: ${names}")
endif()

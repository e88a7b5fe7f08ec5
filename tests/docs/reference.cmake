# docs/reference.md is what its generator makes of it, names every public name, and no other. With -DUPDATE=ON: writes it.
# (tests/package/exports.cmake holds that the module exports all that is public.)
# Call: cmake -DRICCI=<source folder> -DPROGRAM=<the generator> -P reference.cmake
cmake_minimum_required(VERSION 3.25)
set(page "${RICCI}/docs/reference.md")
execute_process(COMMAND "${PROGRAM}" "${page}" OUTPUT_VARIABLE made COMMAND_ERROR_IS_FATAL ANY)
if(UPDATE)
  file(WRITE "${page}" "${made}")
  return()
endif()
file(READ "${page}" text)
if(NOT made STREQUAL text)
  message(SEND_ERROR "docs/reference.md is not what the operations' structs say. To make it anew: cmake --build <build> --target reference")
endif()

# the names that the module exports
file(READ "${RICCI}/include/ricci/ricci.cppm" lines)
string(REGEX REPLACE "//[^\n]*" "" lines "${lines}")
string(REGEX MATCHALL "ricci::[A-Za-z0-9_]+" exported "${lines}")
list(TRANSFORM exported REPLACE "ricci::" "")
list(REMOVE_DUPLICATES exported)
list(REMOVE_ITEM exported operator)

# each stands in the page, types of operations and of items as the thing itself
string(REGEX MATCHALL "rc::[A-Za-z0-9_]+" described "${text}")
list(TRANSFORM described REPLACE "rc::" "")
list(REMOVE_DUPLICATES described)
set(missing "")
foreach(name IN LISTS exported)
  string(REGEX REPLACE "_t$" "" thing "${name}")
  if(NOT name IN_LIST described AND NOT thing IN_LIST described)
    list(APPEND missing "${name}")
  endif()
endforeach()
if(missing)
  message(SEND_ERROR "docs/reference.md does not describe: ${missing}. What follows from an operation's struct stands there when it is made anew "
                     "(cmake --build <build> --target reference); other names need a line written by hand.")
endif()
# and the page names nothing else
# ricci/device.hpp is no module, nor are the headers for other libraries
set(elsewhere io hdf5 device device_tensor device_memory device_error dlpack from_dlpack to_dlpack from_eigen to_eigen from_mdspan to_mdspan to_vector any_tensor any_unique_result visit orders promote_types)
list(REMOVE_ITEM described ${exported} ${elsewhere})
if(described)
  message(SEND_ERROR "docs/reference.md describes what include/ricci/ricci.cppm does not export: ${described}")
endif()

# ricci::module: what links it may say `import ricci;` where CMake (3.28) and the compiler can. It is a library of the build that
# asks for it, installed or not, since a module has to be compiled with the flags of those who import it.
include_guard()

# `include_folder` holds the headers and ricci/ricci.cppm.
function(ricci_add_module include_folder)
  if(CMAKE_VERSION VERSION_LESS 3.28)
    message(FATAL_ERROR "ricci::module needs CMake 3.28, and this is ${CMAKE_VERSION}")
  endif()
  if(NOT TARGET ricci_module)
    add_library(ricci_module STATIC)
    add_library(ricci::module ALIAS ricci_module)
    target_sources(ricci_module PUBLIC FILE_SET CXX_MODULES BASE_DIRS "${include_folder}" FILES "${include_folder}/ricci/ricci.cppm")
    target_link_libraries(ricci_module PUBLIC ricci::ricci)
  endif()
endfunction()

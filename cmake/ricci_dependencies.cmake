# What ricci may be built with. A package of the system is taken where there is one; else, where RICCI_FETCH allows it, the
# release is downloaded and compared with its hash. To use a copy of your own, without network, set CMake's
# FETCHCONTENT_SOURCE_DIR_XSIMD, ..._DOCTEST or ..._ZLIB to its folder.
include_guard()
include(FetchContent)

# Headers of this machine that serve every other one as well are found where also those lie that do not, like the C library's: for
# another machine only `name` of a folder is offered, by a link.
function(ricci_headers_for_target variable name)
  if(CMAKE_CROSSCOMPILING AND "${${variable}}" MATCHES "^/usr/(local/)?include$")
    file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/headers")
    file(CREATE_LINK "${${variable}}/${name}" "${PROJECT_BINARY_DIR}/headers/${name}" SYMBOLIC)
    set(${variable} "${PROJECT_BINARY_DIR}/headers" PARENT_SCOPE)
  endif()
endfunction()

# Sources only: their own build files are not run, so that they add no targets, options or installs to this build.
macro(ricci_fetch name)
  FetchContent_Declare(${name} ${ARGN} SOURCE_SUBDIR sources-only)
  FetchContent_MakeAvailable(${name})
endmacro()

# SIMD. The headers find xsimd by __has_include and run scalar loops without it, so a missing xsimd is no error.
function(ricci_use_xsimd target)
  if(NOT RICCI_XSIMD OR CMAKE_SYSTEM_NAME STREQUAL "Generic") # it knows no vectors of bare machines
    target_compile_definitions(${target} INTERFACE RICCI_NO_XSIMD)
    return()
  endif()
  find_path(RICCI_XSIMD_INCLUDE_DIR xsimd/xsimd.hpp DOC "The folder that holds xsimd/xsimd.hpp (8.1 or newer)")
  mark_as_advanced(RICCI_XSIMD_INCLUDE_DIR)
  set(folder "${RICCI_XSIMD_INCLUDE_DIR}")
  if(folder)
    file(STRINGS "${folder}/xsimd/config/xsimd_config.hpp" lines REGEX "define XSIMD_VERSION_(MAJOR|MINOR)")
    string(REGEX REPLACE "[^0-9]*([0-9]+)[^0-9]+([0-9]+).*" "\\1.\\2" version "${lines}")
    if(version VERSION_LESS 8.1)
      message(WARNING "ricci: xsimd ${version} in ${folder} is older than 8.1 and is not used: the loops are scalar")
      target_compile_definitions(${target} INTERFACE RICCI_NO_XSIMD)
      return()
    endif()
  elseif(RICCI_FETCH)
    ricci_fetch(
      xsimd
      URL https://github.com/xtensor-stack/xsimd/archive/8.1.0.tar.gz
      URL_HASH SHA256=d52551360d37709675237d2a0418e28f70995b5b7cdad7c674626bcfbbf48328)
    set(folder "${xsimd_SOURCE_DIR}/include")
  endif()
  if(folder)
    ricci_headers_for_target(folder xsimd)
    # as a system folder, so that its warnings are not yours; installed headers look for xsimd where they are used
    target_include_directories(${target} SYSTEM INTERFACE $<BUILD_INTERFACE:${folder}>)
  else()
    message(STATUS "ricci: no xsimd found, the loops are scalar")
  endif()
endfunction()

# rc::cpu{.threads = n} needs pthreads, which older C libraries keep in a library of their own, and bare machines do not have.
function(ricci_use_threads target)
  if(CMAKE_SYSTEM_NAME STREQUAL "Generic")
    return()
  endif()
  set(THREADS_PREFER_PTHREAD_FLAG ON)
  find_package(Threads REQUIRED)
  target_link_libraries(${target} INTERFACE Threads::Threads)
endfunction()

# The device context under a host compiler, as the target ricci::device where Thrust is found: the CCCL of a CUDA toolkit, which is
# newer, or the system's (Debian: libthrust-dev). It is not downloaded.
function(ricci_find_thrust)
  if(TARGET ricci::device)
    return()
  endif()
  find_path(RICCI_THRUST_INCLUDE_DIR thrust/version.h HINTS ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES include/cccl
            DOC "The folder that holds thrust/version.h")
  mark_as_advanced(RICCI_THRUST_INCLUDE_DIR)
  if(NOT RICCI_THRUST_INCLUDE_DIR)
    return()
  endif()
  set(RICCI_DEVICE_SYSTEM CPP CACHE STRING "Thrust's system behind the device context under a host compiler: CPP, OMP or TBB")
  add_library(ricci_device INTERFACE)
  add_library(ricci::device ALIAS ricci_device)
  target_link_libraries(ricci_device INTERFACE ricci::ricci)
  target_include_directories(ricci_device SYSTEM INTERFACE "${RICCI_THRUST_INCLUDE_DIR}")
  target_compile_definitions(ricci_device INTERFACE THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_${RICCI_DEVICE_SYSTEM})
  if(RICCI_DEVICE_SYSTEM STREQUAL "OMP")
    find_package(OpenMP REQUIRED)
    target_link_libraries(ricci_device INTERFACE OpenMP::OpenMP_CXX)
  elseif(RICCI_DEVICE_SYSTEM STREQUAL "TBB")
    find_package(TBB REQUIRED)
    target_link_libraries(ricci_device INTERFACE TBB::tbb)
  endif()
endfunction()

# The tests' framework, as the target ricci_doctest.
function(ricci_require_doctest)
  if(TARGET ricci_doctest)
    return()
  endif()
  find_path(RICCI_DOCTEST_INCLUDE_DIR doctest/doctest.h DOC "The folder that holds doctest/doctest.h")
  mark_as_advanced(RICCI_DOCTEST_INCLUDE_DIR)
  set(folder "${RICCI_DOCTEST_INCLUDE_DIR}")
  if(NOT folder AND RICCI_FETCH)
    ricci_fetch(
      doctest
      URL https://github.com/doctest/doctest/archive/v2.4.9.tar.gz
      URL_HASH SHA256=19b2df757f2f3703a5e63cee553d85596875f06d91a3333acd80a969ef210856)
    set(folder "${doctest_SOURCE_DIR}")
  endif()
  if(NOT folder)
    message(FATAL_ERROR "The tests need doctest (Debian: doctest-dev), or RICCI_FETCH=ON to download it")
  endif()
  ricci_headers_for_target(folder doctest)
  add_library(ricci_doctest INTERFACE)
  target_include_directories(ricci_doctest SYSTEM INTERFACE "${folder}")
endfunction()

# zlib, for the examples, as the usual target ZLIB::ZLIB.
function(ricci_require_zlib)
  if(TARGET ZLIB::ZLIB)
    return()
  endif()
  find_package(ZLIB QUIET GLOBAL)
  if(ZLIB_FOUND)
    return()
  endif()
  if(NOT RICCI_FETCH)
    message(FATAL_ERROR "This example needs zlib (Debian: zlib1g-dev), or RICCI_FETCH=ON to download it")
  endif()
  ricci_fetch(
    zlib
    URL https://github.com/madler/zlib/releases/download/v1.3.1/zlib-1.3.1.tar.gz
    URL_HASH SHA256=9a93b2b7dfdac77ceba5a558a580e74667dd6fede4585b91eefb60f03b72df23)
  set(RICCI_ZLIB_SOURCES "${zlib_SOURCE_DIR}")
  add_subdirectory("${PROJECT_SOURCE_DIR}/cmake/zlib" "${PROJECT_BINARY_DIR}/zlib")
endfunction()

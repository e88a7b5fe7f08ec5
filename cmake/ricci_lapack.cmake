# The target ricci::lapack: the headers, and LAPACK, to which <ricci/linalg.hpp> leaves large symmetric eigenvalue problems and singular
# values (include/ricci/linalg/lapack.hpp). RICCI_LAPACK_LIBRARIES says which libraries those are; nothing is looked for before they are
# linked.
include_guard()

set(RICCI_LAPACK_LIBRARIES "lapack" CACHE STRING "Libraries of ricci::lapack, as openblas, or paths")
mark_as_advanced(RICCI_LAPACK_LIBRARIES)

function(ricci_add_lapack)
  if(TARGET ricci::lapack)
    return()
  endif()
  add_library(ricci_lapack INTERFACE)
  add_library(ricci::lapack ALIAS ricci_lapack)
  target_link_libraries(ricci_lapack INTERFACE ricci::ricci ${RICCI_LAPACK_LIBRARIES})
  target_compile_definitions(ricci_lapack INTERFACE RICCI_LINALG_LAPACK=1)
endfunction()

# The warnings under which ricci's own programs are built. They are not part of the target: users choose their own.
include_guard()
option(RICCI_WARNINGS_AS_ERRORS "Stop at a warning" OFF)

function(ricci_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -Wswitch-enum)
  if(RICCI_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

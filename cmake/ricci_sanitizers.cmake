# RICCI_SANITIZE is the list that -fsanitize takes, as "address,undefined" or "thread"; empty for none. A finding ends the
# program, so that a test cannot pass with one.
include_guard()
set(RICCI_SANITIZE "" CACHE STRING "Sanitizers for tests and examples, as -fsanitize takes them")

function(ricci_sanitize target)
  if(RICCI_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${RICCI_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${RICCI_SANITIZE})
  endif()
endfunction()

# RICCI_SANITIZE is the list that -fsanitize takes, as "address,undefined" or "thread"; empty for none. A finding ends the
# program, so that a test cannot pass with one.
include_guard()
set(RICCI_SANITIZE "" CACHE STRING "Sanitizers for tests and examples, as -fsanitize takes them")
set(RICCI_SANITIZE_RARELY "" CACHE STRING "Those of them that take the compiler long, left out but with RICCI_TEST_FULL")

function(ricci_sanitize target)
  if(RICCI_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${RICCI_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    if(RICCI_SANITIZE_RARELY AND NOT RICCI_TEST_FULL)
      target_compile_options(${target} PRIVATE -fno-sanitize=${RICCI_SANITIZE_RARELY})
    endif()
    target_link_options(${target} PRIVATE -fsanitize=${RICCI_SANITIZE})
  endif()
endfunction()

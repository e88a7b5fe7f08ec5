# Where a test runs: the first of these expressions that a test's name matches says in which configurations of CMakePresets.json. A name
# that none of them matches is an error. With RICCI_TEST_FULL, and where no configuration is named, all tests are wanted.
#
# In every change each test runs once, under the compiler that finds most with it: what has memory of its own under the sanitizers (clang),
# what is compared number by number with g++. Twice, or for other machines, run tests of what depends on a compiler's optimisation or on
# instruction sets (kernels), on exceptions, and on threads. What runs in the configurations `rare` and `rare-clang` alone (`.ci/run full`) takes
# the compiler long and guards rare things: nestings of what is tested by itself, programs of a wing of which others run, the second element
# type of derivatives, the second compiler on messages and packages.
set(ricci_test_where
  "^core/buffer-O1-fsanitize=undefined$"                         "test"
  "^core/buffer$"                                                "test asan-ubsan tsan noexcept"
  "^core/"                                                       "test noexcept"
  "^(shape|graph)/"                                              "test"
  "^transform/hoist$"                                            "test asan-ubsan"
  "^transform/"                                                  "test"
  "^expr/nodes$"                                                 "test asan-ubsan noexcept"
  "^expr/"                                                       "test"
  "^exec/(complex_products|integer_products|own_backend)$"       "test"
  "^exec/(complex_sums|copies)$"                                 "test asan-ubsan"
  "^exec/(large_products|last_elements|selections|short_products|short_reductions)$" "test clang asan-ubsan"
  "^exec/(outer_blocks|row_blocks|stacks)$"                      "test asan-ubsan tsan" # which elements go where, in packs of whatever lanes
  "^exec/"                                                       "test clang asan-ubsan tsan"

  # kernels, everywhere; then what is compared number by number; then what has loops, workspaces or places of its own
  "^ops/(unsigned|reductions|sorting|complex)-O3$"               "rare"
  "^ops/derivatives_(arithmetic|functions|joins_and_products|views)$" "test rare" # there with the second element type
  "^ops/derivatives_reductions$"                                 "asan-ubsan rare"
  "^ops/.*-O[0-3]$|^ops/(kinks|solving|derivatives_[^r]|batching_elementwise|ulp_scalar|fast_math_flag|list)" "test"
  "^ops/complex$"                                                "test"
  "^ops/float16$"                                                "test aarch64 cortex-m4"
  "^ops/unsigned$"                                               "test cortex-m4"
  "^ops/(elementwise|fast_math|reductions|sums|ulp|views_and_products)" "test clang aarch64 cortex-m4"
  "^ops/anchors$"                                                "test clang aarch64"
  "^ops/further_functions$"                                      "test"
  "^ops/(contractions_in_place|einops|einsum|extremum_places|statistics)$"             "test"
  "^ops/callers$"                                                "asan-ubsan"
  "^ops/(own_views|rearranging|sorting|types)$"                  "asan-ubsan cortex-m4"
  "^ops/batching_gradients$"                                     "rare"
  "^ops/"                                                        "asan-ubsan"

  "^tensor/.*-O[0-3]$"                                           "test"
  "^tensor/(checked|create|elements|errors|lifetime)$"           "asan-ubsan noexcept"
  "^tensor/broadcast$"                                           "test asan-ubsan noexcept"
  "^tensor/(any_tensor|gather|index_tensors|searching)$"         "asan-ubsan"
  "^tensor/(constant|dlpack|eigen|format|mdspan|named|print)$"   "test clang"
  "^tensor/"                                                     "test asan-ubsan"

  "^autodiff/bodies-fsanitize=undefined$"                        "rare"
  "^autodiff/.*-O[0-3]$"                                         "test"
  "^autodiff/functions$"                                         "asan-ubsan noexcept"
  "^autodiff/(benchmark_(hands|models)|costly_values_again|segments_again)$" "rare"
  "^autodiff/(carries|checkpoint|custom)_nested$|^autodiff/nested_" "rare"
  "^autodiff/implicit_(batches|loops|systems|trees)$|^autodiff/matrix_free$|^autodiff/odeint_(batches|edges|systems)$" "rare"
  "^autodiff/sparse_(axes|extents|kept|loops|parts|trees|views)$" "rare"
  "^autodiff/(benchmark_|check_grads|complaints|custom$|explain|has_aux|interpret|jacobian|jet|kept|levels|linearize)" "test"
  "^autodiff/(loops_backwards|models|nesting|odeint$|policies|problems|saved|star_coloring|trees|variable_records|vmap)" "test"
  "^autodiff/"                                                   "asan-ubsan"

  "^fft/transforms$"                                             "asan-ubsan tsan"
  "^fft/numpy$"                                                  "test"
  "^fft/"                                                        "asan-ubsan"
  "^io/(atomic|failing|python|write|archives-zlib)$"             "test"
  "^io/"                                                         "asan-ubsan"
  "^attention/values$"                                           "test"
  "^attention/more$|^conv/more"                                  "rare"
  "^attention/"                                                  "asan-ubsan"
  "^conv/conv$"                                                  "test"
  "^conv/"                                                       "asan-ubsan"
  "^linalg/eigen$"                                               "rare"
  "^linalg/(cg|complex|small|values)$"                           "asan-ubsan"
  "^linalg/"                                                     "test"
  "^optimize/"                                                   "asan-ubsan"
  "^special/derivatives$"                                        "asan-ubsan"
  "^special/"                                                    "test"
  "^random/rows$"                                                "test clang asan-ubsan"
  "^random/distributions$"                                       "test"
  "^random/"                                                     "asan-ubsan"
  "^data/(batches|text)$"                                        "asan-ubsan"
  "^data/"                                                       "test"
  "^nn/(cross_entropy|losses|resume|training)$"                  "asan-ubsan"
  "^nn/(clip_per_example|recurrent_stack)$"                      "rare"
  "^nn/"                                                         "test"

  "^device/nvcc$"                                                "test"
  "^device/(contexts_omp$|nvcc_)"                                "rare"
  "^device/(equations|contexts)$"                                "asan-ubsan rare"
  "^device/(elementwise|joins|matrix_products|other_products|reductions|views|wings|sequences|runtime_contexts|runtime_sequences)$" "rare"
  "^device/"                                                     "asan-ubsan"
  "^found/(capacities|operations|traces)$"                       "test"
  "^found/"                                                      "asan-ubsan"

  # what calls the compiler, or reads the sources
  "^(arrays|debug/printers|docs)(/|$)"                           "test"
  "^fail/|^contract(/fail_|$)"                                   "test rare-clang"
  "^contract/.*-O0$"                                             "clang"
  "^contract/(01|03|05|06).*-O2$"                                "test"
  "^contract/"                                                   "rare rare-clang"
  "^compile/count$"                                              "test clang"
  "^compile/layers$"                                             "test"
  "^package/(exports|module|.*_module)$"                         "clang"
  "^package/"                                                    "test rare-clang"
  "^structure/alone$"                                            "rare"
  "^structure/"                                                  "test"
  "^targets/cortex_m4$"                                          "cortex-m4-example"
  "^targets/"                                                    "test"
  "^(compile/(benchmarks|rounds)|debug/growth|fuzz)$"            "rare"

  "^examples/fit$"                                               "test asan-ubsan"
  "^examples/(characters|expressions|gates|joined_digits|neural_ode|pole|search|sums|vae)($|/)" "rare"
  "^examples/cortex_m$"                                          "test cortex-m4-example"
  "^examples/"                                                   "test"
)
set(RICCI_TEST_CONFIGURATION "" CACHE STRING "Only the tests that tests/where.cmake names for this configuration, but with RICCI_TEST_FULL")
option(RICCI_TEST_FULL "Build and run all tests in this configuration, optimised and with all their cases" OFF)
# whether tests have the cases that take the compiler long
set(ricci_test_rare_cases ${RICCI_TEST_FULL})
if(RICCI_TEST_CONFIGURATION MATCHES "^rare")
  set(ricci_test_rare_cases ON)
endif()


# Sets `result` to whether a test <folder>/<name> belongs to this configuration.
function(ricci_test_is_wanted result name)
  if(RICCI_TEST_SKIP AND name MATCHES "${RICCI_TEST_SKIP}")
    set(${result} OFF PARENT_SCOPE)
    return()
  endif()
  if(RICCI_TEST_FULL OR NOT RICCI_TEST_CONFIGURATION)
    set(${result} ON PARENT_SCOPE)
    return()
  endif()
  set(rest ${ricci_test_where})
  while(rest)
    list(POP_FRONT rest expression configurations)
    if(name MATCHES "${expression}")
      separate_arguments(configurations)
      if(RICCI_TEST_CONFIGURATION IN_LIST configurations)
        set(${result} ON PARENT_SCOPE)
      else()
        set(${result} OFF PARENT_SCOPE)
      endif()
      return()
    endif()
  endwhile()
  message(FATAL_ERROR "tests/where.cmake does not say where ${name} runs")
endfunction()

# Tests of this directory that are not wanted are named, and not run.
function(ricci_disable_unwanted_tests)
  get_property(tests DIRECTORY PROPERTY TESTS)
  foreach(test IN LISTS tests)
    ricci_test_is_wanted(wanted "${test}")
    if(NOT wanted)
      set_tests_properties("${test}" PROPERTIES DISABLED ON)
    endif()
  endforeach()
endfunction()

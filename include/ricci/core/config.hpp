// The few macros of the library. Everything that depends on the compiler or on a flag is decided here, once.
#pragma once

// The version is written here and nowhere else; CMake and the recipe for Conan read it.
#define RICCI_VERSION_MAJOR 0
#define RICCI_VERSION_MINOR 1
#define RICCI_VERSION_PATCH 0

// RICCI_HD: a function that kernels may call. RICCI_ONE_BY_ONE: before a loop that nvcc is not to unroll.
#if defined(__CUDACC__)
#define RICCI_HD __host__ __device__
#define RICCI_ONE_BY_ONE _Pragma("unroll 1")
#else
#define RICCI_HD
#define RICCI_ONE_BY_ONE
#endif

// For small functions whose call must cost nothing, also without optimisation, and whose body must never be shared
// between translation units that were compiled with different flags.
// clang describes none of them to a debugger: debuggers show the calling line.
//
// Where nothing is optimised, most of g++'s time goes into inlining them. With -DRICCI_INLINING=0 they
// are functions like others, as the library's own tests have them, which run little and are compiled often: all files
// of such a program are compiled with the same flags. It holds where RICCI_UNOPTIMIZED (below) does not.
#if defined(RICCI_INLINING) && defined(__OPTIMIZE__)
#define RICCI_FORCES_INLINING RICCI_INLINING
#else
#define RICCI_FORCES_INLINING 1
#endif
#if !RICCI_FORCES_INLINING
#define RICCI_INLINE inline
#define RICCI_INLINE_LAMBDA
#elif defined(__clang__) && !defined(__CUDACC__)
#define RICCI_INLINE [[gnu::always_inline, gnu::nodebug]] inline
#define RICCI_INLINE_LAMBDA __attribute__((always_inline, nodebug))
#elif defined(__GNUC__) || defined(__clang__)
#define RICCI_INLINE [[gnu::always_inline]] inline
#define RICCI_INLINE_LAMBDA __attribute__((always_inline))
#else
#define RICCI_INLINE inline
#define RICCI_INLINE_LAMBDA
#endif
#if defined(__GNUC__) || defined(__clang__)
#define RICCI_NOINLINE [[gnu::noinline]]
#if defined(__clang__)
#define RICCI_COLD [[gnu::cold, gnu::noinline]]
#else
#define RICCI_COLD [[gnu::cold, gnu::noinline, gnu::optimize("O1")]]
#endif
#else
#define RICCI_NOINLINE
#define RICCI_COLD
#endif

// After `struct`: clang describes the type to a debugger. By itself it would do so where a constructor is compiled, and
// these are inlined without a description.
#if defined(__clang__) && defined(__has_cpp_attribute)
#if __has_cpp_attribute(clang::standalone_debug)
#define RICCI_DESCRIBED [[clang::standalone_debug]]
#endif
#endif
#ifndef RICCI_DESCRIBED
#define RICCI_DESCRIBED
#endif

// In front of a loop: it is unrolled n times.
#if defined(__CUDACC__)
#define RICCI_UNROLL(n)
#else
#define RICCI_PRAGMA_(x) _Pragma(#x)
#define RICCI_UNROLL(n) RICCI_PRAGMA_(GCC unroll n)
#endif

// In front of an operation's scalar-or-SIMD kernel: `RICCI_FN kernel(auto x) { return x * x; }`.
#if !RICCI_FORCES_INLINING
#define RICCI_FN RICCI_HD static constexpr auto
#elif defined(__clang__) && !defined(__CUDACC__)
#define RICCI_FN [[gnu::always_inline, gnu::nodebug]] RICCI_HD static constexpr auto
#elif defined(__GNUC__) || defined(__clang__)
#define RICCI_FN [[gnu::always_inline]] RICCI_HD static constexpr auto
#else
#define RICCI_FN RICCI_HD static constexpr auto
#endif

// References that a returned lazy expression keeps to small in-place tensors.
#if defined(__clang__)
#define RICCI_LIFETIMEBOUND [[clang::lifetimebound]]
#else
#define RICCI_LIFETIMEBOUND
#endif

#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
#define RICCI_EXCEPTIONS 1
#else
#define RICCI_EXCEPTIONS 0
#endif

// Where the stack is kilobytes rather than megabytes, as on bare machines, loops use small buffers on it.
#if !defined(RICCI_SMALL_STACK)
#if defined(__unix__) || defined(__APPLE__) || defined(_WIN32)
#define RICCI_SMALL_STACK 0
#else
#define RICCI_SMALL_STACK 1
#endif
#endif

// Builds that optimise nothing (-O0) are for stepping through a program; what the library does inside is to be about as
// fast as the loop that one would write by hand. g++ optimises what stands between these two all the same. clang
// cannot; there registers of kernels are vectors (exec/cpu/vector_lanes.hpp), which are only passed to what is inlined,
// so that no ABI is at stake.
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__OPTIMIZE__) && !defined(__CUDACC__)
#define RICCI_UNOPTIMIZED 1
#else
#define RICCI_UNOPTIMIZED 0
#endif
#if !RICCI_UNOPTIMIZED
#define RICCI_VECTOR_LANES 0
#define RICCI_OPTIMIZED
#define RICCI_OPTIMIZED_END
#elif defined(__clang__)
#define RICCI_VECTOR_LANES (!RICCI_SMALL_STACK)
#define RICCI_OPTIMIZED _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wpsabi\"")
#define RICCI_OPTIMIZED_END _Pragma("clang diagnostic pop")
#else
#define RICCI_VECTOR_LANES 0
#define RICCI_OPTIMIZED _Pragma("GCC push_options") _Pragma("GCC optimize(\"O2\")")
#define RICCI_OPTIMIZED_END _Pragma("GCC pop_options")
#endif
// A function that is inlined, but is one of its own where nothing is optimised, so that what it inlines is optimised
// there.
#if RICCI_UNOPTIMIZED
#define RICCI_ENTRY inline
#else
#define RICCI_ENTRY RICCI_INLINE
#endif

// A loop over plain numbers that is worth vectorising: g++ leaves most of them alone at -O2.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && defined(__OPTIMIZE__) && \
    !defined(__OPTIMIZE_SIZE__)
#define RICCI_VECTORISED [[gnu::noinline, gnu::optimize("tree-vectorize", "vect-cost-model=dynamic")]]
#define RICCI_VECTORISES 1
#else
#define RICCI_VECTORISED
#define RICCI_VECTORISES 0
#endif

// A function, and in it loops, that stay number by number: elements from anywhere, which compilers otherwise gather,
// though AMD's processors load them faster one by one.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && defined(__OPTIMIZE__)
#define RICCI_NOT_VECTORISED [[gnu::noinline, gnu::optimize("no-tree-vectorize")]]
#define RICCI_NUMBER_BY_NUMBER
#elif defined(__clang__) && !defined(__CUDACC__)
#define RICCI_NOT_VECTORISED [[gnu::noinline]]
#define RICCI_NUMBER_BY_NUMBER _Pragma("clang loop vectorize(disable)")
#else
#define RICCI_NOT_VECTORISED
#define RICCI_NUMBER_BY_NUMBER
#endif

// Whether vectorised loops store some lanes of elements of every size by an instruction that leaves the others alone.
#if defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__OPTIMIZE__) && !defined(__CUDACC__)
#define RICCI_STORES_BY_MASKS 1
#else
#define RICCI_STORES_BY_MASKS 0
#endif

// Integers of up to so many bytes are divided as floating numbers, which vectors divide, and of which they multiply by
// the reciprocal where one number divides all: not where floating numbers are software, nor by nvcc, whose device has
// few units for doubles. Those of 8 bytes where vectors convert them.
#if RICCI_UNOPTIMIZED || RICCI_SMALL_STACK || defined(__CUDACC__)
#define RICCI_FLOATING_QUOTIENTS 0
#elif defined(__AVX512VL__) && defined(__AVX512DQ__) && defined(__AVX512BW__)
#define RICCI_FLOATING_QUOTIENTS 8
#else
#define RICCI_FLOATING_QUOTIENTS 4
#endif

// Whether `a(i, j)` checks its indices, as `a.at(i, j)` does: in builds that optimise nothing, unless NDEBUG is
// defined. The program may say so itself, by 0 or 1.
#if !defined(RICCI_CHECKED)
#if RICCI_UNOPTIMIZED && !defined(NDEBUG)
#define RICCI_CHECKED 1
#else
#define RICCI_CHECKED 0
#endif
#endif

// SIMD through xsimd where it is found; RICCI_NO_XSIMD leaves scalar loops, which the compiler may still vectorise. So
// do nvcc, for which every operation of a pack would have to be callable on the device, too, and -O0, where each would
// be several calls.
#if !defined(RICCI_NO_XSIMD) && !defined(__CUDACC__) && !RICCI_UNOPTIMIZED && defined(__has_include)
#if __has_include(<xsimd/xsimd.hpp>)
#define RICCI_HAS_XSIMD 1
#endif
#endif
#ifndef RICCI_HAS_XSIMD
#define RICCI_HAS_XSIMD 0
#endif

// Threads through pthreads, on systems that have them: C libraries for bare machines have the header and nothing behind
// it.
#if !defined(RICCI_NO_THREADS) && (defined(__unix__) || defined(__APPLE__)) && __has_include(<pthread.h>)
#define RICCI_HAS_THREADS 1
#else
#define RICCI_HAS_THREADS 0
#endif

// RICCI_NO_HEAP makes any need of memory from the heap a compile error (core/heap.hpp).
#if defined(RICCI_NO_HEAP)
#define RICCI_HAS_HEAP 0
#else
#define RICCI_HAS_HEAP 1
#endif

// What the compiler was allowed to emit and what the library was told to do: together they name the inline namespace of
// core/abi.hpp. The name is short, since it stands in every line of a message:
//
//   v8f92n    v, the level of the vectors, three hexadecimal digits of other instructions, letters for other options
//
// The digits are those of RICCI_ABI_MACHINE below, the first feature of each being the digit's 8. Letters: n no
// exceptions, m fast-math, u nothing optimised, s scalar loops (no xsimd), h no heap, k small stack, c checked
// elements, i nothing inlined by force. Plain `g++ -O2` on x86-64 gives v0000 where xsimd is found, v0000s where not.
#if defined(__AVX512F__)
#if defined(__AVX512VL__) && defined(__AVX512DQ__) && defined(__AVX512BW__)
#define RICCI_ABI_LEVEL 8
#else
#define RICCI_ABI_LEVEL 7
#endif
#elif defined(__AVX2__)
#define RICCI_ABI_LEVEL 6
#elif defined(__AVX__)
#define RICCI_ABI_LEVEL 5
#elif defined(__SSE4_2__)
#define RICCI_ABI_LEVEL 4
#elif defined(__SSE4_1__)
#define RICCI_ABI_LEVEL 3
#elif defined(__SSSE3__)
#define RICCI_ABI_LEVEL 2
#elif defined(__SSE3__)
#define RICCI_ABI_LEVEL 1
#else
#define RICCI_ABI_LEVEL 0
#endif
// RICCI_BIT(macro) is 1 where the macro is 1, else 0; RICCI_DIGIT makes four of these a hexadecimal digit.
#define RICCI_BIT_1 ~, 1
#define RICCI_SECOND_(a, b, ...) b
#define RICCI_SECOND(...) RICCI_SECOND_(__VA_ARGS__, ~)
#define RICCI_BIT_(value) RICCI_SECOND(RICCI_BIT_##value, 0)
#define RICCI_BIT(macro) RICCI_BIT_(macro)
#define RICCI_JOIN_(a, b, c, d, e, f, ...) a##b##c##d##e##f
#define RICCI_JOIN(...) RICCI_JOIN_(__VA_ARGS__, , , , , )
#define RICCI_DIGIT_0000 0
#define RICCI_DIGIT_0001 1
#define RICCI_DIGIT_0010 2
#define RICCI_DIGIT_0011 3
#define RICCI_DIGIT_0100 4
#define RICCI_DIGIT_0101 5
#define RICCI_DIGIT_0110 6
#define RICCI_DIGIT_0111 7
#define RICCI_DIGIT_1000 8
#define RICCI_DIGIT_1001 9
#define RICCI_DIGIT_1010 a
#define RICCI_DIGIT_1011 b
#define RICCI_DIGIT_1100 c
#define RICCI_DIGIT_1101 d
#define RICCI_DIGIT_1110 e
#define RICCI_DIGIT_1111 f
#define RICCI_DIGIT(a, b, c, d) RICCI_JOIN(RICCI_DIGIT_, RICCI_BIT(a), RICCI_BIT(b), RICCI_BIT(c), RICCI_BIT(d))
// Where processors with the same vectors differ, and what compilers use by themselves.
#if defined(__aarch64__) || defined(__arm__)
#define RICCI_ABI_MACHINE \
  RICCI_JOIN(RICCI_DIGIT(__ARM_FEATURE_ATOMICS, __ARM_FEATURE_DOTPROD, __ARM_FEATURE_SVE, __ARM_FEATURE_SVE2), 00)
#else
#define RICCI_ABI_MACHINE                                                  \
  RICCI_JOIN(RICCI_DIGIT(__FMA__, __BMI2__, __POPCNT__, __LZCNT__),        \
             RICCI_DIGIT(__MOVBE__, __XOP__, __AVXVNNI__, __AVX512VNNI__), \
             RICCI_DIGIT(__AVX512VBMI2__, __AVX512FP16__, __GFNI__, ))
#endif
#if RICCI_EXCEPTIONS
#define RICCI_ABI_EXCEPTIONS
#else
#define RICCI_ABI_EXCEPTIONS n
#endif
#if defined(__FAST_MATH__)
#define RICCI_ABI_MATH m
#else
#define RICCI_ABI_MATH
#endif
#if RICCI_UNOPTIMIZED
#define RICCI_ABI_LOOPS u
#elif RICCI_HAS_XSIMD
#define RICCI_ABI_LOOPS
#else
#define RICCI_ABI_LOOPS s
#endif
#if !RICCI_HAS_HEAP && RICCI_SMALL_STACK
#define RICCI_ABI_MEMORY hk
#elif !RICCI_HAS_HEAP
#define RICCI_ABI_MEMORY h
#elif RICCI_SMALL_STACK
#define RICCI_ABI_MEMORY k
#else
#define RICCI_ABI_MEMORY
#endif
#if RICCI_CHECKED
#define RICCI_ABI_CHECKS c
#else
#define RICCI_ABI_CHECKS
#endif
#if RICCI_FORCES_INLINING
#define RICCI_ABI_INLINING
#else
#define RICCI_ABI_INLINING i
#endif
#define RICCI_ABI_OPTIONS                                                                               \
  RICCI_JOIN(RICCI_ABI_EXCEPTIONS, RICCI_ABI_MATH, RICCI_ABI_LOOPS, RICCI_ABI_MEMORY, RICCI_ABI_CHECKS, \
             RICCI_ABI_INLINING)
#define RICCI_ABI RICCI_JOIN(v, RICCI_ABI_LEVEL, RICCI_ABI_MACHINE, RICCI_ABI_OPTIONS)

// Files that call CUDA: those that nvcc compiles, and tests with a runtime that stands in for it. What the device
// context is made of has other names there, so that both kinds of files of a program keep their own.
#if defined(__CUDACC__) || defined(RICCI_CUDA_STAND_IN)
#define RICCI_CALLS_CUDA 1
#define RICCI_DEVICE_ABI on_cuda
#define RICCI_DEVICE_MEMORY 4
#else
#define RICCI_CALLS_CUDA 0
#define RICCI_DEVICE_ABI on_host
#define RICCI_DEVICE_MEMORY 2
#endif
// Their loops also depend on flags. (One namespace: nvcc mistakes two of one name, one in the other.)
#define RICCI_DEVICE_LOOPS RICCI_JOIN(RICCI_ABI, RICCI_DEVICE_ABI)

// xsimd, without what it brings along for others: of libstdc++'s <algorithm> and <memory>, which were a tenth of what
// the library costs whoever includes it, it uses <algorithm> for functions that <complex> brings as well, and <memory>
// in a class for allocators that nobody here instantiates. (On ARM it uses more.) So the two count as included while
// xsimd is read, and not afterwards; a program that includes one itself gets it whole, before or after this.
#pragma once

#include <ricci/core/types.hpp>

#if RICCI_HAS_XSIMD
#if defined(__GLIBCXX__) && (defined(__x86_64__) || defined(__i386__)) && !defined(XSIMD_HPP)
#if !defined(_GLIBCXX_ALGORITHM)
#define _GLIBCXX_ALGORITHM 1
#define RICCI_WITHOUT_ALGORITHM
#endif
#if !defined(_GLIBCXX_MEMORY)
#define _GLIBCXX_MEMORY 1
#define RICCI_WITHOUT_MEMORY
#endif
#endif

#if defined(__GNUC__) && \
    !defined(__clang__)  // g++ 12 takes its own AVX-512 intrinsics for uninitialised (GCC bug 105593)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <xsimd/xsimd.hpp>
#pragma GCC diagnostic pop
#else
#include <xsimd/xsimd.hpp>
#endif

#if defined(RICCI_WITHOUT_ALGORITHM)
#undef _GLIBCXX_ALGORITHM
#undef RICCI_WITHOUT_ALGORITHM
#endif
#if defined(RICCI_WITHOUT_MEMORY)
#undef _GLIBCXX_MEMORY
#undef RICCI_WITHOUT_MEMORY
#endif
#endif

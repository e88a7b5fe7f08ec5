// xsimd, where it is found.
#pragma once

#include <ricci/core/types.hpp>

#if RICCI_HAS_XSIMD
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
#endif

// Discrete Fourier transforms, the array API's extension `fft`:
//
//   auto spectrum = rc::fft::rfft(x);                  // along the last axis; lazy, differentiable, batched
//   auto back = rc::fft::irfft(spectrum, n);
//   auto over_time = rc::fft::stft(sound, rc::fft::hann(512), 128);
//   auto power = rc::square(rc::abs(rc::fft::fftn(image)));
#pragma once

#include <ricci/ricci.hpp>

#include <ricci/fft/convolve.hpp>
#include <ricci/fft/cosine.hpp>
#include <ricci/fft/frames.hpp>
#include <ricci/fft/frequencies.hpp>
#include <ricci/fft/functions.hpp>

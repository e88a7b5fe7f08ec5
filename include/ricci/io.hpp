// Tensors in files: npy, npz, safetensors, GGUF, CSV, IDX, PNG, JPEG, PGM and PPM, WAV, raw elements (docs/io.md).
//
//   rc::io::save("a.npy", x);                                    // any tensor or expression
//   auto a = rc::io::load<rc::ndarray<double, 2>>("a.npy");      // element type and order are checked
//   rc::any_tensor b = rc::io::load("a.npy");                    // as the file says
//   auto m = rc::io::map<rc::ndarray<double, 2>>("a.npy");       // a view; pages are read when they are used
//   rc::io::save("p.safetensors", parameters);                   // a record, by the names of its members
//   rc::io::load("p.safetensors", parameters);
#pragma once

#include <ricci/any_tensor.hpp>

#include <ricci/io/load.hpp>
#include <ricci/io/map.hpp>
#include <ricci/io/save.hpp>
#include <ricci/io/wrong_calls.hpp>

// What formats of images have in common: pixels as arrays of shape (height, width) or (height, width, channels).
#pragma once

#include <ricci/io/array.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

struct image_size {
  index_t height, width, channels;
};
// The size of an image that is written; an error where the array is none of one of those numbers of channels.
inline image_size image_size_of(std::string_view file, array_view const& a, std::string_view channels) {
  bool const has_axis = a.shape.rank == 3;
  image_size const s{a.shape.rank >= 1 ? a.shape[0] : 0, a.shape.rank >= 2 ? a.shape[1] : 0, has_axis ? a.shape[2] : 1};
  bool const right = (a.shape.rank == 2 || has_axis) && s.channels >= 1 && s.channels <= 4 &&
                     channels.find(char('0' + s.channels)) != std::string_view::npos;
  if (!right || s.height < 1 || s.width < 1 || s.height > 0x7fffffff || s.width > 0x7fffffff)
    (message(file) << "no image is an array of shape " << a.shape
                   << ": (height, width) or (height, width, channels) with " << channels << " channels was expected")
        .raise();
  return s;
}
// The shape of one that is read: without the last axis where there is one channel, unless three axes are asked for.
inline shape_t shape_of_image(image_size const& s, expectation const& e) {
  shape_t shape{2, {s.height, s.width}};
  if (s.channels > 1 || (!e.any_shape && e.shape.rank == 3)) shape.push(s.channels);
  return shape;
}

}  // namespace RICCI_ABI
}  // namespace ricci::files

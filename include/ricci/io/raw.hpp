// Elements and nothing else, in the machine's order of bytes. The type that is loaded says what they are; one extent
// may be left open.
#pragma once

#include <ricci/io/options.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

inline any_tensor read_raw(source& s, io::load_options const& o, expectation const& e) {
  dtype const type = e.type != dtype::none ? e.type : o.dtype;
  if (type == dtype::none) (message(s.name()) << "raw elements of no type: the option dtype says it").raise();
  if (s.size() == source::unknown)
    (message(s.name()) << "raw elements are read from a file or bytes, not a stream").raise();
  if (o.offset < 0 || o.offset > s.size())
    (message(s.name()) << "the option offset is " << o.offset << ", where there are " << s.size() << " bytes").raise();
  s.seek(o.offset);
  index_t const bytes = s.left(), count = bytes / size_of(type);
  if (bytes % size_of(type) != 0)
    (message(s.name(), o.offset) << bytes << " bytes are no whole number of elements of " << type).raise();
  shape_t shape{1, {count}};
  if (!e.any_shape) {
    shape = e.shape;
    int open = -1;
    index_t known = 1;
    for (int k = 0; k < shape.rank; ++k) {
      if (shape[k] >= 0) {
        known = core::product_of_extents(known, shape[k]);
      } else if (open < 0) {
        open = k;
      } else {
        ((message(s.name()) << "raw elements do not say the extents of ").extents(shape)
         << ", of which one may be open")
            .raise();
      }
    }
    if (open >= 0) shape.extent[open] = known > 0 ? count / known : 0;
    if (size_of(shape) != count)
      ((message(s.name()) << count << " elements are no array of shape ").extents(e.shape)).raise();
  }
  core::shared_buffer memory = s.read_new(bytes, "the elements");
  if (type == dtype::boolean) normalise_bools(memory.data(), bytes);
  return array_of(static_cast<core::shared_buffer&&>(memory), type, shape);
}

}  // namespace RICCI_ABI
}  // namespace ricci::files

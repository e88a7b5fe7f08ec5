// What <ricci/hdf5.hpp> needs of libhdf5 before there are files: handles, errors, and its types of elements.
#pragma once

#include <cstring>

#include <ricci/io/error.hpp>

#if __has_include(<hdf5.h>)
#include <hdf5.h>
#else
#include <hdf5/serial/hdf5.h>
#endif

namespace ricci::files {
inline namespace RICCI_ABI {

// What libhdf5 knows by a number, closed at the end.
class h5_handle {
 public:
  h5_handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  h5_handle(h5_handle&& o) noexcept : id_(o.id_), close_(o.close_) { o.id_ = -1; }
  h5_handle& operator=(h5_handle&&) = delete;
  ~h5_handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// As long as it is there, errors are kept and not printed.
class h5_silence {
 public:
  h5_silence() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  h5_silence(h5_silence const&) = delete;
  h5_silence& operator=(h5_silence const&) = delete;
  ~h5_silence() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

// The name of what failed, and what libhdf5 says was the cause.
[[noreturn]] RICCI_COLD inline void raise_of_hdf5(std::string_view file, std::string_view what) {
  char cause[200] = "no reason is given";
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned n, H5E_error2_t const* e, void* to) {
        if (n == 0 && e->desc) {
          std::strncpy(static_cast<char*>(to), e->desc, 199);
          static_cast<char*>(to)[199] = '\0';
        }
        return herr_t(0);
      },
      cause);
  (message(file) << what << ": " << static_cast<char const*>(cause)).raise();
}
RICCI_COLD inline h5_handle opened(std::string_view file, std::string_view what, hid_t id, herr_t (*close)(hid_t)) {
  if (id < 0) raise_of_hdf5(file, what);
  return {id, close};
}
RICCI_COLD inline void expect_done(std::string_view file, std::string_view what, herr_t result) {
  if (result < 0) raise_of_hdf5(file, what);
}

// ---- element types ----

// sign, exponent and mantissa of a floating point type of two bytes
struct h5_half {
  dtype type;
  std::size_t exponent_at, exponent_bits;
  unsigned long bias;
};
inline constexpr h5_half h5_halves[] = {{dtype::float16, 10, 5, 15}, {dtype::bfloat16, 7, 8, 127}};

inline hid_t h5_number(dtype t) {
  switch (t) {
    case dtype::int8:
      return H5T_NATIVE_INT8;
    case dtype::uint8:
      return H5T_NATIVE_UINT8;
    case dtype::int16:
      return H5T_NATIVE_INT16;
    case dtype::uint16:
      return H5T_NATIVE_UINT16;
    case dtype::int32:
      return H5T_NATIVE_INT32;
    case dtype::uint32:
      return H5T_NATIVE_UINT32;
    case dtype::int64:
      return H5T_NATIVE_INT64;
    case dtype::uint64:
      return H5T_NATIVE_UINT64;
    case dtype::float32:
    case dtype::complex64:
      return H5T_NATIVE_FLOAT;
    case dtype::float64:
    case dtype::complex128:
      return H5T_NATIVE_DOUBLE;
    case dtype::float16:
    case dtype::bfloat16:
    case dtype::boolean:
    case dtype::none:
      break;
  }
  return -1;
}
// The type of elements in memory, and in files that are written.
RICCI_COLD inline h5_handle h5_type(std::string_view file, dtype t) {
  auto const type = [&](hid_t id) { return opened(file, "HDF5 makes no type of elements", id, H5Tclose); };
  if (t == dtype::boolean) {
    h5_handle e = type(H5Tenum_create(H5T_NATIVE_INT8));
    for (std::int8_t const value : {std::int8_t(0), std::int8_t(1)})
      expect_done(file, "HDF5 makes no type of bools", H5Tenum_insert(e, value ? "TRUE" : "FALSE", &value));
    return e;
  }
  for (h5_half const& half : h5_halves)
    if (t == half.type) {
      h5_handle h = type(H5Tcopy(H5T_NATIVE_FLOAT));
      bool const made = H5Tset_fields(h, 15, half.exponent_at, half.exponent_bits, 0, half.exponent_at) >= 0 &&
                        H5Tset_size(h, 2) >= 0 && H5Tset_ebias(h, half.bias) >= 0;
      if (!made) raise_of_hdf5(file, "HDF5 makes no type of half precision");
      return h;
    }
  if (t == dtype::complex64 || t == dtype::complex128) {
    auto const bytes = std::size_t(size_of(t));
    h5_handle c = type(H5Tcreate(H5T_COMPOUND, bytes));
    expect_done(file, "HDF5 makes no complex type", H5Tinsert(c, "r", 0, h5_number(t)));
    expect_done(file, "HDF5 makes no complex type", H5Tinsert(c, "i", bytes / 2, h5_number(t)));
    return c;
  }
  return type(H5Tcopy(h5_number(t)));
}

// Whether member k of an enumeration or compound has that name.
RICCI_COLD inline bool is_h5_member(hid_t type, unsigned k, std::string_view name) {
  char* const text = H5Tget_member_name(type, k);
  bool const same = text && name == text;
  H5free_memory(text);
  return same;
}
// The element type of a file's type; none where there is none of that kind.
RICCI_COLD inline dtype dtype_of_hdf5(hid_t type) {
  std::size_t const size = H5Tget_size(type);
  H5T_class_t const kind = H5Tget_class(type);
  auto const has_members = [&](std::string_view first, std::string_view second) {
    return H5Tget_nmembers(type) == 2 && is_h5_member(type, 0, first) && is_h5_member(type, 1, second);
  };
  if (kind == H5T_INTEGER) {
    bool const has_sign = H5Tget_sign(type) == H5T_SGN_2;
    if (size == 1) return has_sign ? dtype::int8 : dtype::uint8;
    if (size == 2) return has_sign ? dtype::int16 : dtype::uint16;
    if (size == 4) return has_sign ? dtype::int32 : dtype::uint32;
    if (size == 8) return has_sign ? dtype::int64 : dtype::uint64;
  }
  if (kind == H5T_FLOAT) {
    std::size_t const bias = H5Tget_ebias(type);
    for (h5_half const& half : h5_halves)
      if (size == 2 && bias == half.bias) return half.type;
    if (size == 4 && bias == 127) return dtype::float32;
    if (size == 8 && bias == 1023) return dtype::float64;
  }
  if (kind == H5T_ENUM && size == 1 && has_members("FALSE", "TRUE")) return dtype::boolean;
  if (kind == H5T_COMPOUND && has_members("r", "i")) {
    h5_handle const part(H5Tget_member_type(type, 0), H5Tclose);
    dtype const t = dtype_of_hdf5(part);
    if (t == dtype::float32) return dtype::complex64;
    if (t == dtype::float64) return dtype::complex128;
  }
  return dtype::none;
}
// what a type that is no element type holds
inline char const* name_of_hdf5_class(hid_t type) {
  struct row {
    H5T_class_t kind;
    char const* name;
  };
  constexpr row names[] = {{H5T_INTEGER, "integers of an unusual size"},
                           {H5T_FLOAT, "floating point numbers of an unusual format"},
                           {H5T_STRING, "text"},
                           {H5T_COMPOUND, "structures"},
                           {H5T_ENUM, "an enumeration"},
                           {H5T_REFERENCE, "references"},
                           {H5T_VLEN, "sequences of their own lengths"},
                           {H5T_ARRAY, "arrays"}};
  for (row const& r : names)
    if (H5Tget_class(type) == r.kind) return r.name;
  return "a type that is no number";
}

}  // namespace RICCI_ABI
}  // namespace ricci::files

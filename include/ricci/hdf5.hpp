// Arrays in HDF5 files, by libhdf5, which the program links (CMake: find_package(HDF5 COMPONENTS C)); docs/io.md. Not
// part of <ricci/io.hpp>. Arrays of groups have names with dots: /encoder/w is encoder.w.
//
//   rc::hdf5::save("p.h5", parameters);                        // a record or std::map of names; the file is replaced
//   rc::hdf5::load("p.h5", parameters);                        // strict about names, types and shapes
//   auto x = rc::hdf5::load<rc::ndarray<float, 2>>("p.h5", "encoder.w");
//   auto all = rc::hdf5::load_all("p.h5");                     // by names, as any_tensors
//
// Types are those of h5py: bools are the enumeration FALSE, TRUE, complex numbers compounds of r and i, half precision
// floats of 2 bytes. libhdf5 as distributions build it serves one thread at a time.
#pragma once

#include <ricci/io.hpp>

#include <ricci/io/hdf5_types.hpp>

namespace ricci {
namespace files {
inline namespace RICCI_ABI {

// The name of an array from its path, and back: what stands between groups is a slash there and a dot here.
RICCI_COLD inline std::string with_replaced(std::string text, char from, char to) {
  for (char& c : text) c = c == from ? to : c;
  return text;
}

// ---- reading ----

class hdf5_archive final : public archive {
 public:
  explicit hdf5_archive(source& s)
      : archive(s),
        file_(opened(s.name(), "it cannot be opened as HDF5", H5Fopen(s.name().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT),
                     H5Fclose)) {
    h5_handle const root = opened(s.name(), "its root cannot be opened", H5Gopen2(file_, "/", H5P_DEFAULT), H5Gclose);
    add_group(root, "", 0);
    expect_done(s.name(), "its size is not known", H5Fget_filesize(file_, &bytes_of_file_));
  }
  any_tensor read(std::size_t k, expectation const& e) override {
    std::string const& name = names()[k];
    auto const fail = [&](char const* what) -> void {
      (message(source_.name()) << "array '" << name << "': " << what).raise();
    };
    h5_handle const set =
        opened(source_.name(), name + " cannot be opened", H5Dopen2(file_, paths_[k].c_str(), H5P_DEFAULT), H5Dclose);
    h5_handle const type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
    dtype const t = dtype_of_hdf5(type);
    if (t == dtype::none)
      (message(source_.name()) << "array '" << name << "' holds " << name_of_hdf5_class(type)
                               << ", where numbers were expected")
          .raise();
    if (H5Sget_simple_extent_type(space) == H5S_NULL) fail("it has a type and no elements");
    int const rank = H5Sget_simple_extent_ndims(space);
    if (rank < 0 || rank > max_rank) fail("it has more than 12 axes");
    hsize_t extents[max_rank]{};
    if (rank > 0) H5Sget_simple_extent_dims(space, extents, nullptr);
    shape_t shape{};
    for (int axis = 0; axis < rank; ++axis) {
      if (extents[axis] > hsize_t(core::most_bytes)) fail("an extent is larger than memory can be");
      shape.push(index_t(extents[axis]));
    }
    index_t const bytes = checked_bytes(source_.name(), 0, t, shape);
    // deflate, the densest of its filters, makes of a byte at most 1032
    if (hsize_t(bytes) / 1032 > bytes_of_file_) fail("its shape claims more elements than the file can hold");
    e.check(source_.name(), name, t, shape);
    core::shared_buffer memory(bytes);
    h5_handle const in_memory = h5_type(source_.name(), t);
    if (bytes > 0)
      expect_done(source_.name(), name + " cannot be read",
                  H5Dread(set, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, memory.data()));
    if (t == dtype::boolean) normalise_bools(memory.data(), bytes);
    return array_of(static_cast<core::shared_buffer&&>(memory), t, shape);
  }

 private:
  // The arrays of a group and of the groups in it. Links to other places and files are passed over.
  RICCI_COLD void add_group(hid_t group, std::string const& path, int depth) {
    if (depth > 32) (message(source_.name()) << "groups are nested more than 32 deep").raise();
    H5G_info_t info{};
    expect_done(source_.name(), "a group cannot be read", H5Gget_info(group, &info));
    for (hsize_t k = 0; k < info.nlinks; ++k) {
      auto const name_to = [&](char* to, std::size_t n) {
        return H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k, to, n, H5P_DEFAULT);
      };
      auto const length = name_to(nullptr, 0);
      if (length < 0) raise_of_hdf5(source_.name(), "the names of a group cannot be read");
      std::string name(std::size_t(length), '\0');
      name_to(name.data(), name.size() + 1);
      H5L_info_t link{};
      expect_done(source_.name(), name, H5Lget_info(group, name.c_str(), &link, H5P_DEFAULT));
      if (link.type != H5L_TYPE_HARD) continue;
      h5_handle const object =
          opened(source_.name(), name + " cannot be opened", H5Oopen(group, name.c_str(), H5P_DEFAULT), H5Oclose);
      std::string const at = path + '/' + name;
      if (H5Iget_type(object) == H5I_GROUP) {
        add_group(object, at, depth + 1);
      } else if (H5Iget_type(object) == H5I_DATASET) {
        std::string const with_points = with_replaced(at.substr(1), '/', '.');
        if (!add_name(with_points))
          (message(source_.name()) << "two arrays are called '" << with_points << '\'').raise();
        paths_.push_back(at);
      }
    }
  }

  h5_handle file_;
  hsize_t bytes_of_file_ = 0;
  std::vector<std::string> paths_;
};

// An archive with what it needs, for one call.
struct opened_hdf5 {
  h5_silence silence;
  memory_source name;
  hdf5_archive all;
  explicit opened_hdf5(std::string const& path) : name({}, path), all(name) {}
};

// ---- writing ----

// The bytes of a file, which is made in memory so that `sink` can put it in the place of an old one as a whole.
RICCI_COLD inline void write_hdf5(sink& s, std::vector<named_array> const& all) {
  h5_silence const silence;
  std::string const& file = s.name();
  auto const list = [&](hid_t kind) { return opened(file, "HDF5 has no memory", H5Pcreate(kind), H5Pclose); };
  h5_handle const access = list(H5P_FILE_ACCESS), groups = list(H5P_LINK_CREATE), creation = list(H5P_DATASET_CREATE);
  H5Pset_fapl_core(access, 1 << 20, 0);
  H5Pset_create_intermediate_group(groups, 1);
  H5Pset_obj_track_times(creation, 0);  // equal arrays give equal files
  h5_handle const to =
      opened(file, "HDF5 makes no file", H5Fcreate("ricci.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
  for (named_array const& a : all) {
    std::string const path = with_replaced(a.name, '.', '/');
    if (path.empty() || path.front() == '/' || path.back() == '/' || path.find("//") != std::string::npos)
      (message(file) << "no array of HDF5 is called '" << a.name << '\'').raise();
    hsize_t extents[max_rank]{};
    for (int k = 0; k < a.array.shape.rank; ++k) extents[k] = hsize_t(a.array.shape[k]);
    h5_handle const space = opened(file, a.name,
                                   a.array.shape.rank > 0 ? H5Screate_simple(a.array.shape.rank, extents, nullptr)
                                                          : H5Screate(H5S_SCALAR),
                                   H5Sclose),
                    type = h5_type(file, a.array.type),
                    set = opened(file, a.name + " cannot be made",
                                 H5Dcreate2(to, path.c_str(), type, space, groups, creation, H5P_DEFAULT), H5Dclose);
    if (a.array.bytes() > 0)
      expect_done(file, a.name + " cannot be written",
                  H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, a.array.data));
  }
  expect_done(file, "HDF5 cannot finish it", H5Fflush(to, H5F_SCOPE_LOCAL));
  auto const bytes = H5Fget_file_image(to, nullptr, 0);
  if (bytes < 0) raise_of_hdf5(file, "HDF5 cannot finish it");
  core::shared_buffer const image{index_t(bytes)};
  if (H5Fget_file_image(to, image.data(), std::size_t(bytes)) != bytes) raise_of_hdf5(file, "HDF5 cannot finish it");
  s.write(image.data(), index_t(bytes));
  s.commit();
}

}  // namespace RICCI_ABI
}  // namespace files

namespace hdf5 {
inline namespace RICCI_ABI {

// The array of a name, with points or slashes, as a T: a tensor of static, mixed or dynamic extents, a number or an
// any_tensor. io_error: there is none of that name, or its element type, order or extents are not those of T.
template <files::Loadable T = any_tensor>
T load(std::string const& path, std::string_view name) {
  files::opened_hdf5 f(path);
  if (name.starts_with('/')) name.remove_prefix(1);
  return files::taken<T>(f.all.read_named(files::with_replaced(std::string(name), '/', '.'), files::expected_of<T>()));
}
// All arrays, by their names.
template <class = void>
std::map<std::string, any_tensor> load_all(std::string const& path) {
  files::opened_hdf5 f(path);
  return files::read_all_of(f.all);
}
// The members of a record of tensors, by their names. io_error: what is missing, what is of another type or shape, and
// what the record has no member for, unless `allow_more`; then the record stays as it was.
template <files::Record X>
requires(!std::is_convertible_v<X const&, std::string_view>) void load(std::string const& path, X& target,
                                                                       io::load_options const& o = {}) {
  files::check_no_name(path, o);
  files::check_options(path, files::format::npz, o);  // arrays with names have the same options
  files::opened_hdf5 f(path);
  files::read_record(f.all, path, o, target);
}

// The tensors of a record or std::map of names to a file, which is replaced when all of it lies on the disk.
template <files::Named X>
void save(std::string const& path, X const& x) {
  files::named_arrays const n = files::arrays_of(x);
  files::file_sink s(path);
  files::write_hdf5(s, n.all);
}
// one array: a tensor, the value of an expression, an any_tensor or a number
template <files::OneArray X>
void save(std::string const& path, std::string name, X const& x) {
  files::with_rows(x, [&](files::array_view const& a) {
    files::file_sink s(path);
    files::write_hdf5(s, {{static_cast<std::string&&>(name), a}});
  });
}

}  // namespace RICCI_ABI
}  // namespace hdf5
}  // namespace ricci

// Images with labels from files: IDX, as MNIST has them, and folders.
#pragma once

#include <string>
#include <vector>

#include <ricci/core/where_used.hpp>
#include <ricci/data/records.hpp>
#include <ricci/io/idx.hpp>
#include <ricci/io/places.hpp>
#include <ricci/io/png.hpp>
#include <ricci/io/pnm.hpp>

#if RICCI_IO_POSIX
#include <dirent.h>
#else
#include <filesystem>
#endif

namespace ricci::data {

// Images of order 2 (examples, pixels), 3 (examples, height, width) or 4 (examples, height, width, channels), from 0 to
// 1, and integers.
template <int Rank>
struct labelled_images {
  ndarray<float, Rank> images;
  ndarray<int, 1> labels;
};

// A file of images and one of labels, IDX with bytes as elements, compressed by gzip or not. io_error: what is no such
// file, and images that are not as many as labels.
template <int Rank = 2>
labelled_images<Rank> read_idx(std::string const& images, std::string const& labels) {
  static_assert(Rank >= 2 && Rank <= 4, "data::read_idx<Rank>: images have order 2, 3 or 4");
  files::file_source first(images), second(labels);
  // types of the template, so that a file that reads none does not pay for the conversions
  using byte = std::conditional_t<Rank >= 0, std::uint8_t, void>;
  using bytes_of_images = ndarray<byte, 3>;
  using bytes_of_labels = ndarray<byte, 1>;
  auto const x = files::taken<bytes_of_images>(files::read_idx(first, files::expected_of<bytes_of_images>()));
  auto const y = files::taken<bytes_of_labels>(files::read_idx(second, files::expected_of<bytes_of_labels>()));
  index_t const n = x.shape(0);
  if (n != y.shape(0))
    (files::message(images) << n << " images, and " << y.shape(0) << " labels in " << labels).raise();
  ndarray<float, 3> const scaled = astype<float>(x) / 255.f;
  labelled_images<Rank> all{{}, astype<int>(y)};
  if constexpr (Rank == 2)
    all.images = reshape(scaled, shape(n, x.shape(1) * x.shape(2)));
  else if constexpr (Rank == 3)
    all.images = scaled;
  else
    all.images = reshape(scaled, shape(n, x.shape(1), x.shape(2), 1));
  return all;
}

namespace folder {

// The names in a folder that do not begin with a dot, in the order of their bytes.
inline files::places_by_name names_in(std::string const& path) {
  files::places_by_name names;  // the numbers are of no use
#if RICCI_IO_POSIX
  DIR* const d = ::opendir(path.c_str());
  if (!d) files::raise_of_system(path, "the folder cannot be read", errno);
  while (::dirent const* const entry = ::readdir(d))
    if (entry->d_name[0] != '.') names.emplace(std::string(entry->d_name), 0);
  ::closedir(d);
#else
  std::error_code e;
  for (auto const& entry : std::filesystem::directory_iterator(path, e))
    if (entry.path().filename().string()[0] != '.') names.emplace(entry.path().filename().string(), 0);
  if (e) files::raise_of_system(path, "the folder cannot be read", e.value());
#endif
  return names;
}
inline bool is_folder(std::string const& path) {
#if RICCI_IO_POSIX
  struct stat s {};
  return ::stat(path.c_str(), &s) == 0 && S_ISDIR(s.st_mode);
#else
  std::error_code e;
  return std::filesystem::is_directory(path, e);
#endif
}
inline bool is_image(std::string_view name) {
  return files::ends_with(name, ".png") || files::ends_with(name, ".ppm") || files::ends_with(name, ".pgm");
}

}  // namespace folder

struct image_folder {
  labelled_images<4> examples;
  std::vector<std::string> classes;  // label k is that of folder classes[k]
};
// A folder with a folder for each class, in the order of their names, in which every .png, .ppm and .pgm is an example,
// in that order, too; other files are passed over. io_error: no images, and an image whose size or number of channels
// is not that of the first one, or which has not 8 bits.
template <class Byte = std::uint8_t>
image_folder read_folder(std::string const& path) {
  core::where_used<image_folder, Byte> all;
  std::vector<std::string> paths;
  std::vector<int> labels;
  for (auto const& [name, there] : folder::names_in(path)) {
    std::string const inner = path + '/' + name;
    if (!folder::is_folder(inner)) continue;
    for (auto const& [file, is_there] : folder::names_in(inner)) {
      if (!folder::is_image(file)) continue;
      paths.push_back(inner + '/' + file);
      labels.push_back(int(all.classes.size()));
    }
    all.classes.push_back(name);
  }
  if (paths.empty())
    (files::message(path) << "no .png, .ppm or .pgm in one of its " << index_t(all.classes.size()) << " folders")
        .raise();
  index_t const n = index_t(paths.size());
  all.examples.labels = zeros<int>(shape(n));
  using pixels = ndarray<Byte, 3>;
  for (index_t k = 0; k < n; ++k) {
    std::string const& file = paths[std::size_t(k)];
    files::file_source s(file);
    auto const e = files::expected_of<pixels>();
    auto const x = files::taken<pixels>(files::ends_with(file, ".png") ? files::read_png(s, e) : files::read_pnm(s, e));
    auto& images = all.examples.images;
    if (k == 0) images = zeros<float>(shape(n, x.shape(0), x.shape(1), x.shape(2)));
    for (int a = 0; a < 3; ++a)
      if (x.shape(a) != images.shape(a + 1))
        (files::message(file) << "an image of shape " << shape_t{3, {x.shape(0), x.shape(1), x.shape(2)}} << ", where "
                              << shape_t{3, {images.shape(1), images.shape(2), images.shape(3)}} << " came before")
            .raise();
    images(k) = astype<float>(x) / 255.f;
    all.examples.labels(k) = labels[std::size_t(k)];
  }
  return all;
}

}  // namespace ricci::data

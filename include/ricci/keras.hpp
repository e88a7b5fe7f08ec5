// Parameters as Keras 3 keeps them, in HDF5 files, by libhdf5 (ricci/hdf5.hpp):
//
//   nn::load_keras("net.weights.h5", model);           // what model.save_weights("net.weights.h5") wrote
//   nn::load_keras("net.weights.h5", model, state);    // with the running statistics of batch norms
//   nn::save_keras("net.weights.h5", model, state);    // what model.load_weights("net.weights.h5") reads
//
// Names are those of a Sequential or functional model, in which layers are counted by kind: the second linear layer of
// a record and of the records in it, in the order of their members, is `layers/dense_1` there, whatever it is called
// here. For models that are classes in Python, a function behind the records gives the name in the file for each such
// name.
#pragma once

#include <ricci/hdf5.hpp>

#include <ricci/nn/keras_name.hpp>
#include <ricci/nn/torch.hpp>

namespace ricci::nn {

namespace keras {

// A member of a layer, and where it is in the file.
struct leaf {
  std::string name;
  keras_array array;
  char* at;
  dtype type;
  shape_t shape;
};

struct list {
  std::vector<leaf> all;
  std::map<std::string, int> counts;  // layers of each kind so far

  template <class X>
  void members(X& x) {
    using record = std::remove_cv_t<X>;
    if constexpr (requires { record::keras; }) {
      std::string start = std::string("layers/") + record::keras.layer;
      if (int const before = counts[start]++; before > 0) start += '_' + std::to_string(before);
      start += '/';
      tree::with_members(x, [&](auto&... m) {
        std::size_t k = 0;
        (one(start, record::keras.arrays[k++], m), ...);
      });
    } else {
      static_assert(!Tensor<record> && !Arithmetic<record>,
                    "nn::load_keras and nn::save_keras: a parameter that belongs to no layer of Keras's (those with a "
                    "name there: docs/nn.md) is in none of its Sequential or functional models");
      if constexpr (!Tensor<record> && !Arithmetic<record>)
        tree::with_members(x, [&](auto&... m) { (members(tree::plain_number(m)), ...); });
    }
  }
  template <Tensor M>
  void one(std::string const& start, keras_array const& array, M& m) {
    static_assert(files::is_owned<std::remove_cv_t<M>> && files::is_of_host<std::remove_cv_t<M>>(),
                  "nn::load_keras and nn::save_keras: a model's tensors own their elements, on the host");
    shape_t shape{};
    for (int axis = 0; axis < rank_of<M>; ++axis) shape.push(m.shape(axis));
    all.push_back({start + array.path, array, const_cast<char*>(reinterpret_cast<char const*>(m.data())),
                   dtype_of<value_type_of<M>>, shape});
  }
};

// The shape of the array in the file.
inline shape_t shape_there(leaf const& x) {
  shape_t s{};
  if (x.array.bias != keras_bias::none) {
    index_t const n = x.shape[0] * (x.array.bias == keras_bias::joined ? 1 : x.array.gates);
    s.push(2), s.push(n);
    return s;
  }
  for (int k = 0; k < x.shape.rank; ++k) {
    int const heads = k == 0 && x.array.first_heads > 1 ? x.array.first_heads
                      : k == x.shape.rank - 1           ? x.array.last_heads
                                                        : 1;
    if (heads > 1) s.push(heads), s.push(x.shape[k] / heads);
    if (heads == 1) s.push(x.shape[k]);
  }
  return s;
}
// Calls copy(ours, theirs, bytes) for each part that lies together, with the places in both.
inline void for_each_part(leaf const& x, auto const& copy) {
  index_t const size = size_of(x.type), all = size * size_of(x.shape);
  int const gates = x.array.gates;
  if (gates == 1) {
    if (all > 0) copy(index_t(0), index_t(0), all);
  } else if (x.array.bias == keras_bias::last_of_states) {
    copy(index_t(0), all * (2 * gates - 1), all);
  } else if (all > 0) {
    index_t const row = size * x.shape[x.shape.rank - 1], part = row / gates;
    for (index_t at = 0; at < all; at += row)
      for (int g = 0; g < gates; ++g) copy(at + g * part, at + (g < 2 ? 1 - g : g) * part, part);
  }
}

template <class Use>
RICCI_COLD void read(std::string const& path, std::vector<leaf> const& leaves, auto const& rename) {
  files::opened_hdf5 f(path);
  std::vector<char> known(f.all.names().size());
  for (std::size_t k = 0; k < known.size(); ++k)  // keys of layers that draw random numbers
    known[k] = f.all.names()[k].find("seed_generator") != std::string::npos;
  std::vector<core::where_used<std::string, Use>> fresh;  // nothing is written before all is there
  for (leaf const& x : leaves) {
    std::size_t const k = f.all.number_of(files::with_replaced(rename(x.name), '/', '.'));
    known[k] = true;
    any_tensor const there = f.all.read(k, {x.type, false, shape_there(x)});
    char const* const from = static_cast<char const*>(there.data());
    std::string bytes(std::size_t(size_of(x.type) * size_of(x.shape)), '\0');
    for_each_part(
        x, [&](index_t a, index_t b, index_t n) { __builtin_memcpy(bytes.data() + a, from + b, std::size_t(n)); });
    if (x.array.bias == keras_bias::joined) {
      // the biases of the states but for the last third
      index_t const size = index_t(bytes.size());
      for_each_part(x, [&](index_t a, index_t b, index_t n) {
        if (a + n < size || x.array.gates == 1)
          torch::add_elements<Use>({{}, {}, {}, nullptr, x.type, x.shape}, bytes.data() + a, from + size + b,
                                   n / size_of(x.type));
      });
    }
    fresh.push_back(static_cast<std::string&&>(bytes));
  }
  f.all.expect_no_more(known, path);
  for (std::size_t k = 0; k < leaves.size(); ++k)
    if (!fresh[k].empty()) __builtin_memcpy(leaves[k].at, fresh[k].data(), fresh[k].size());
}
template <class Use>
RICCI_COLD void write(std::string const& path, std::vector<leaf> const& leaves, auto const& rename) {
  std::map<core::where_used<std::string, Use>, any_tensor> all;
  for (leaf const& x : leaves) {
    auto const [at, is_new] =
        all.emplace(files::with_replaced(rename(x.name), '/', '.'), any_tensor(x.type, shape_there(x)));
    char* const to = static_cast<char*>(at->second.raw_data());
    if (is_new && at->second.bytes() > 0) __builtin_memset(to, 0, std::size_t(at->second.bytes()));
    for_each_part(x, [&](index_t a, index_t b, index_t n) { __builtin_memcpy(to + b, x.at + a, std::size_t(n)); });
  }
  files::named_arrays arrays = files::arrays_of(all);
  files::file_sink s(path);
  files::write_hdf5(s, arrays.all);
}
template <class Records>
std::vector<leaf> leaves_of(Records const& records) {
  std::vector<leaf> all;
  std::apply(
      [&](auto&... x) {
        auto const add = [&](auto& record) {  // layers are counted in parameters and state alike
          list l;
          l.members(record);
          all.insert(all.end(), l.all.begin(), l.all.end());
        };
        (add(x), ...);
      },
      records);
  return all;
}

}  // namespace keras

// Fills a record of parameters, and a state, with the weights of a model of Keras's. io_error: an array is missing, has
// another type or shape, or belongs to no layer (but for seeds of random numbers); then nothing changes.
template <class Params, torch::Rename F = torch::same_name>
requires(!torch::Rename<Params>) void load_keras(std::string const& path, Params& params, F const& rename = {}) {
  keras::read<Params>(path, keras::leaves_of(std::tie(params)), rename);
}
template <class Params, class State, torch::Rename F = torch::same_name>
requires(!torch::Rename<State>) void load_keras(std::string const& path, Params& params, State& state,
                                                F const& rename = {}) {
  keras::read<Params>(path, keras::leaves_of(std::tie(params, state)), rename);
}
// Writes such a file, which replaces an older one as a whole. Of two biases that Keras adds up the second is zero.
template <class Params, torch::Rename F = torch::same_name>
requires(!torch::Rename<Params>) void save_keras(std::string const& path, Params const& params, F const& rename = {}) {
  keras::write<Params>(path, keras::leaves_of(std::tie(params)), rename);
}
template <class Params, class State, torch::Rename F = torch::same_name>
requires(!torch::Rename<State>) void save_keras(std::string const& path, Params const& params, State const& state,
                                                F const& rename = {}) {
  keras::write<Params>(path, keras::leaves_of(std::tie(params, state)), rename);
}

}  // namespace ricci::nn

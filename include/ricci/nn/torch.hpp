// Parameters as PyTorch names and keeps them, in safetensors files:
//
//   nn::load_torch("model.safetensors", model);           // what save_file(net.state_dict(), ...) wrote
//   nn::load_torch("model.safetensors", model, state);    // with the running statistics of batch norms
//   nn::save_torch("model.safetensors", model, state);    // what load_file(...) and load_state_dict read
//
// The members of the model have the names of the modules in PyTorch; `up.w` of a linear layer is `up.weight` there, and
// transposed. What is no layer of the library's is a parameter of its own name. Functions behind the records make a
// name in the file of the one that PyTorch would have: `[](std::string name) { return "encoder." + name; }`.
#pragma once

#include <ricci/core/where_used.hpp>
#include <ricci/io/load.hpp>
#include <ricci/io/save.hpp>
#include <ricci/nn/layer.hpp>
#include <ricci/nn/torch_name.hpp>

namespace ricci::nn {

namespace torch {

// A leaf, and where it is in the file.
struct leaf {
  std::string name, added;
  torch_layout layout;
  char* at;
  dtype type;
  shape_t shape;
};
template <class X>
inline constexpr torch_name const* names_of = nullptr;
template <class X>
requires requires { X::torch; }
inline constexpr torch_name const* names_of<X> = X::torch;

struct list {
  std::vector<leaf> all;
  std::string path;

  template <class X>
  void members(X& x) {
    using record = std::remove_cv_t<X>;
    tree::with_members(x, [&](auto&... m) {
      [[maybe_unused]] std::size_t k = 0;
      if constexpr (tree::is_tuple<record>)
        (one(std::to_string(k), {}, tree::plain_number(m), names_of<record>, k), ...);
      else
        (one(std::string(files::names_of_members<record, std::index_sequence_for<decltype(m)...>>::at[k]), {},
             tree::plain_number(m), names_of<record>, k),
         ...);
    });
  }
  template <class M>
  void one(std::string name, torch_layout layout, M& m, torch_name const* names, std::size_t& k) {
    using T = std::remove_cv_t<M>;
    std::string const before = path;
    if (names != nullptr) name = names[k].name, layout = names[k].layout;
    ++k;
    std::string const start = path.empty() ? std::string() : path + '.';
    if constexpr (Tensor<T>) {
      static_assert(files::is_owned<T> && files::is_of_host<T>(),
                    "nn::load_torch and nn::save_torch: a model's tensors own their elements, on the host");
      shape_t shape{};
      for (int axis = 0; axis < rank_of<T>; ++axis) shape.push(m.shape(axis));
      all.push_back({start + name, layout.added == nullptr ? std::string() : start + layout.added, layout,
                     const_cast<char*>(reinterpret_cast<char const*>(m.data())), dtype_of<value_type_of<T>>, shape});
    } else if constexpr (Arithmetic<T>) {
      all.push_back({start + name,
                     {},
                     layout,
                     const_cast<char*>(reinterpret_cast<char const*>(std::addressof(m))),
                     dtype_of<T>,
                     {}});
    } else {
      if (!name.empty()) path = start + name;
      members(m);
    }
    path = before;
  }
};
// The shape of a leaf as it is in the file, without the parts.
inline shape_t shape_there(leaf const& x) {
  if (!x.layout.turned) return x.shape;
  shape_t s = x.shape;
  int const r = s.rank;
  s.extent[0] = x.shape.extent[r - 1], s.extent[1] = x.shape.extent[r - 2];
  for (int k = 2; k < r; ++k) s.extent[k] = x.shape.extent[k - 2];
  return s;
}
// Copies the elements of a leaf, of `size` bytes, from the order that they have in the file to ours, or back.
inline void turn(leaf const& x, char* ours, char* theirs, index_t size, bool to_ours) {
  int const r = x.shape.rank;
  index_t stride[max_rank]{}, step = 1;  // along our axes, there: windows last, outputs first
  for (int k = r - 3; k >= 0; --k) stride[k] = step, step *= x.shape.extent[k];
  stride[r - 2] = step, stride[r - 1] = step * x.shape.extent[r - 2];
  index_t const n = size_of(x.shape);
  index_t place[max_rank]{};
  for (index_t i = 0, at = 0; i < n; ++i) {
    char *const a = ours + i * size, *const b = theirs + at * size;
    __builtin_memcpy(to_ours ? a : b, to_ours ? b : a, std::size_t(size));
    for (int k = r - 1; k >= 0; --k) {
      at += stride[k];
      if (++place[k] < x.shape.extent[k]) break;
      at -= stride[k] * place[k], place[k] = 0;
    }
  }
}
template <class = void>
void add_elements(leaf const& x, char* to, char const* more, index_t n) {
  with_type(x.type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
      for (index_t k = 0; k < n; ++k) reinterpret_cast<T*>(to)[k] += reinterpret_cast<T const*>(more)[k];
    else
      core::raise<value_error>(core::text() << "nn::load_torch: biases that are added up are float32 or float64");
  });
}
// A shape whose first axis is that of so many parts.
inline shape_t in_parts(shape_t s, int parts) {
  if (s.rank > 0) s.extent[0] *= parts;
  return s;
}

template <class Use>
RICCI_COLD void read(files::archive& all, std::string const& path, std::vector<leaf> const& leaves,
                     auto const& rename) {
  std::vector<char> known(all.names().size());
  for (std::size_t k = 0; k < known.size(); ++k) known[k] = all.names()[k].ends_with("num_batches_tracked");
  auto const array = [&](std::string const& name, leaf const& x, shape_t const& shape) {
    std::size_t const k = all.number_of(rename(name));
    known[k] = true;
    return all.read(k, {x.type, false, shape});
  };
  std::vector<core::where_used<any_tensor, Use>> fresh;  // nothing is written before all is there
  for (leaf const& x : leaves) {
    index_t const size = size_of(x.type), bytes = size * size_of(x.shape);
    any_tensor y(x.type, x.shape);
    char* const to = static_cast<char*>(y.raw_data());
    any_tensor const whole = array(x.name, x, in_parts(shape_there(x), x.layout.parts));
    char* const from = const_cast<char*>(static_cast<char const*>(whole.data())) + x.layout.part * bytes;
    if (x.layout.turned)
      turn(x, to, from, size, true);
    else if (bytes > 0)
      __builtin_memcpy(to, from, std::size_t(bytes));
    if (!x.added.empty())
      add_elements<Use>(x, to, static_cast<char const*>(array(x.added, x, x.shape).data()),
                        size_of(x.shape) / x.layout.of_parts * x.layout.added_parts);
    fresh.push_back(static_cast<any_tensor&&>(y));
  }
  all.expect_no_more(known, path);
  for (std::size_t k = 0; k < leaves.size(); ++k)
    if (fresh[k].bytes() > 0) __builtin_memcpy(leaves[k].at, fresh[k].data(), std::size_t(fresh[k].bytes()));
}
template <class Use>
RICCI_COLD void write(std::string const& path, std::vector<leaf> const& leaves, auto const& rename) {
  struct array_there {
    any_tensor elements;
    std::vector<index_t> ends;  // of the ranges of bytes that tensors have in it: begin, end, begin, end ...
  };
  std::map<core::where_used<std::string, Use>, array_there> there;
  // where bytes `begin` to `end` of an array go, which no other tensor has
  auto const bytes_of = [&](std::string const& name, leaf const& x, shape_t const& shape, index_t begin, index_t end) {
    std::string const own = rename(name);
    auto const [at, is_new] = there.emplace(own, array_there{any_tensor(x.type, shape), {}});
    any_tensor& y = at->second.elements;
    char* const p = static_cast<char*>(y.raw_data());
    if (is_new && y.bytes() > 0) __builtin_memset(p, 0, std::size_t(y.bytes()));
    auto& ends = at->second.ends;
    bool fits = y.dtype() == x.type && y.shape() == shape;
    for (std::size_t k = 0; k < ends.size(); k += 2) fits = fits && (end <= ends[k] || begin >= ends[k + 1]);
    if (!fits)
      core::raise<value_error>(core::text()
                               << "nn::save_torch: two tensors of the model are called '" << own.c_str() << "'");
    ends.push_back(begin), ends.push_back(end);
    return p + begin;
  };
  for (leaf const& x : leaves) {
    index_t const size = size_of(x.type), bytes = size * size_of(x.shape);
    char* const to = bytes_of(x.name, x, in_parts(shape_there(x), x.layout.parts), x.layout.part * bytes,
                              (x.layout.part + 1) * bytes);
    if (x.layout.turned)
      turn(x, x.at, to, size, false);
    else if (bytes > 0)
      __builtin_memcpy(to, x.at, std::size_t(bytes));
    if (!x.added.empty())
      (void)bytes_of(x.added, x, x.shape, 0, bytes / x.layout.of_parts * x.layout.added_parts);  // zeros
  }
  std::map<core::where_used<std::string, Use>, any_tensor> all;
  for (auto& [name, x] : there) all.emplace(name, static_cast<any_tensor&&>(x.elements));
  files::named_arrays arrays = files::arrays_of(all);
  files::file_sink s(path);
  files::write_safetensors<Use>(s, arrays.all);
  s.commit();
}

struct same_name {
  std::string const& operator()(std::string const& name) const { return name; }
};
// A model is not asked whether it takes a text: it may be a function of anything, whose body says what compiles.
template <class X>
concept MayTakeText = !std::is_aggregate_v<X> || std::is_empty_v<X> || requires {
  &X::operator();
};
template <class X>
concept Rename = MayTakeText<X> && requires(X const& f) {
  std::string(f(std::string()));
};
template <class Records, class F>
std::vector<leaf> leaves_of(Records const& records, F const&) {
  list l;
  std::apply([&](auto&... x) { (l.members(x), ...); }, records);
  return static_cast<std::vector<leaf>&&>(l.all);
}

}  // namespace torch

// Fills a record of parameters, and a state, with the arrays of the names that they have in PyTorch. io_error: an array
// is missing, has another type or shape, or belongs to no parameter (but for num_batches_tracked); then nothing
// changes.
template <class Params, torch::Rename F = torch::same_name>
requires(!torch::Rename<Params>) void load_torch(std::string const& path, Params& params, F const& rename = {}) {
  files::file_source from(path);
  core::where_used<files::safetensors_archive<>, Params> all(from);
  torch::read<Params>(all, path, torch::leaves_of(std::tie(params), rename), rename);
}
template <class Params, class State, torch::Rename F = torch::same_name>
requires(!torch::Rename<State>) void load_torch(std::string const& path, Params& params, State& state,
                                                F const& rename = {}) {
  files::file_source from(path);
  core::where_used<files::safetensors_archive<>, Params> all(from);
  torch::read<Params>(all, path, torch::leaves_of(std::tie(params, state), rename), rename);
}
// Writes such a file, which replaces an older one as a whole. Of two biases that PyTorch adds up the second is zero.
// value_error: two tensors would have one name.
template <class Params, torch::Rename F = torch::same_name>
requires(!torch::Rename<Params>) void save_torch(std::string const& path, Params const& params, F const& rename = {}) {
  torch::write<Params>(path, torch::leaves_of(std::tie(params), rename), rename);
}
template <class Params, class State, torch::Rename F = torch::same_name>
requires(!torch::Rename<State>) void save_torch(std::string const& path, Params const& params, State const& state,
                                                F const& rename = {}) {
  torch::write<Params>(path, torch::leaves_of(std::tie(params, state), rename), rename);
}

}  // namespace ricci::nn

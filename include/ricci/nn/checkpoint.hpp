// A run or model in a safetensors file: written, read, and, as an observer of `nn::fit`, after each epoch.
#pragma once

#include <ricci/io/load.hpp>
#include <ricci/io/save.hpp>
#include <ricci/nn/held_run.hpp>

namespace ricci::nn {

// Everything of a run or model, by the names of members, whatever the file is called. It is replaced when all is
// written; names that are missing or spare are an io_error, and nothing changes. (That format alone: the readers of all
// others would take the compiler seconds.)
template <class X>
RICCI_COLD void save(std::string const& path, X const& x) {
  files::named_arrays const arrays = files::arrays_of(x);
  files::file_sink to(path);
  files::write_safetensors(to, arrays.all);
  to.commit();
}
template <class Run>
void save(std::string const& path, held_run<Run> const& r) {
  nn::save(path, *r);
}
template <class X>
RICCI_COLD void load(std::string const& path, X& x) {
  files::file_source from(path);
  files::safetensors_archive<> all(from);
  files::read_record(all, path, {}, x);
}
template <class Run>
void load(std::string const& path, held_run<Run>& r) {
  nn::load(path, *r);
}

// Writes the run after each epoch and at the end, and after each `every` steps where that is above 0.
struct checkpoint {
  std::string path;
  std::int64_t every = 0;
  template <class Run>
  checkpoint of() const {
    return *this;
  }
  bool step(auto const& r, float) const {
    if (every > 0 && r.step % every == 0) nn::save(path, r);
    return true;
  }
  bool epoch(auto const& r, float, float) const { return nn::save(path, r), true; }
  void finish(auto& r) const { nn::save(path, r); }
};

}  // namespace ricci::nn

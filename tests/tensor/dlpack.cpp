// Tensors to and from other libraries by DLPack.
#include <doctest/doctest.h>

#include <ricci/dlpack.hpp>

#include "../raised.hpp"

namespace rc = ricci;

namespace {

// As somebody else's library makes them: the rows of a matrix backwards.
struct theirs {
  double elements[6]{1, 2, 3, 4, 5, 6};
  std::int64_t shape[2]{2, 3}, strides[2]{-3, 1};
  int deleted = 0;
  rc::dlpack::versioned managed{};

  theirs() {
    managed.version = {1, 0};
    managed.manager_ctx = this;
    managed.deleter = [](rc::dlpack::versioned* m) { ++static_cast<theirs*>(m->manager_ctx)->deleted; };
    managed.dl_tensor = {elements, {1, 0}, 2, {2, 64, 1}, shape, strides, 3 * sizeof(double)};
  }
};

}  // namespace

TEST_CASE("from DLPack: a view that keeps the memory alive") {
  theirs x;
  {
    auto v = rc::from_dlpack<double, 2>(&x.managed);
    CHECK((v.shape(0) == 2 && v.shape(1) == 3 && v(0, 0) == 4 && v(1, 2) == 3));
    auto row = v(1, rc::all);
    auto twice = 2. * row;
    v = rc::eval(v);
    CHECK(x.deleted == 0);
    row(0) = 10.;
    CHECK((x.elements[0] == 10 && rc::eval(twice)(0) == 20));
  }
  CHECK(x.deleted == 1);
  auto kept = [&] { return rc::eval(1. + rc::from_dlpack<double const, 2>(&x.managed)); }();
  CHECK((x.deleted == 2 && kept(0, 0) == 5));
  x.managed.dl_tensor.strides = nullptr;  // in row-major order
  x.managed.dl_tensor.byte_offset = 0;
  CHECK(rc::from_dlpack<double, 2>(&x.managed)(1, 0) == 4);
}

TEST_CASE("from DLPack: what is refused stays with the caller") {
  theirs x;
  CHECK(raised([&] { rc::from_dlpack<double, 1>(&x.managed); }) ==
        "shape_error: from_dlpack: a tensor of order 2, not 1");
  CHECK(raised([&] { rc::from_dlpack<float, 2>(&x.managed); }) ==
        "value_error: from_dlpack: elements of DLPack's type code 2 with 64 bits are not float32");
  x.managed.flags = rc::dlpack::read_only;
  CHECK(raised([&] { rc::from_dlpack<double, 2>(&x.managed); }) ==
        "value_error: from_dlpack: the memory is read only: name its elements const");
  CHECK(rc::from_dlpack<double const, 2>(&x.managed)(0, 0) == 4);
  CHECK(x.deleted == 1);
  x.managed.dl_tensor.byte_offset = 1;
  CHECK(raised([&] { rc::from_dlpack<double const, 2>(&x.managed); }) ==
        "value_error: from_dlpack: the elements are not aligned");
  x.managed.dl_tensor.device.device_type = 2;
  CHECK(raised([&] { rc::from_dlpack<double const, 2>(&x.managed); }) ==
        "context_error: from_dlpack: memory of DLPack's device type 2, which is not the host's");
  x.managed.version.major = 2;
  CHECK(raised([&] { rc::from_dlpack<double const, 2>(&x.managed); }) ==
        "value_error: from_dlpack: version 2 of DLPack, not 1");
  CHECK(x.deleted == 1);
}

TEST_CASE("to DLPack: where the elements lie, or a copy") {
  rc::ndarray<float, 2> y{{1, 2, 3}, {4, 5, 6}};
  auto* m = rc::to_dlpack<rc::dlpack::versioned>(y(rc::all, rc::range(2, -4, -1)));
  auto const& t = m->dl_tensor;
  CHECK((t.data == &y(0, 2) && t.ndim == 2 && t.shape[1] == 3 && t.strides[0] == 3 && t.strides[1] == -1));
  CHECK((t.dtype.code == 2 && t.dtype.bits == 32 && t.device.device_type == 1 && m->flags == 0));
  y = rc::ndarray<float, 2>(1, 1);  // the memory stays with those who look at it
  CHECK(static_cast<float*>(t.data)[-2] == 1);
  auto back = rc::from_dlpack<float, 2>(m);
  CHECK((back(0, 0) == 3 && back(1, 2) == 4));
  {
    rc::ndarray<float, 2> z{{1, 2, 3}, {4, 5, 6}};
    m = rc::to_dlpack<rc::dlpack::versioned>(z.T());
    CHECK((m->dl_tensor.data == z.data() && m->dl_tensor.shape[0] == 3 && m->dl_tensor.strides[0] == 1));
  }
  CHECK((m->flags == 0 && static_cast<float*>(m->dl_tensor.data)[5] == 6));
  m->deleter(m);

  rc::ndarray<std::int64_t, 1> const whole{1, 2};
  m = rc::to_dlpack<rc::dlpack::versioned>(whole);
  CHECK((m->flags == rc::dlpack::read_only && m->dl_tensor.data == whole.data() && m->dl_tensor.dtype.code == 0));
  m->deleter(m);
  auto* old = rc::to_dlpack<rc::dlpack::unversioned>(whole);  // cannot say that it is read only
  CHECK((old->dl_tensor.data != whole.data() && static_cast<std::int64_t*>(old->dl_tensor.data)[1] == 2));
  old->deleter(old);
  m = rc::to_dlpack<rc::dlpack::versioned>(rc::tensor<bool, 2>{false, true});  // in place: it would not stay
  CHECK((m->flags == rc::dlpack::is_copied && m->dl_tensor.dtype.code == 6 && m->dl_tensor.dtype.bits == 8));
  m->deleter(m);
  m = rc::to_dlpack<rc::dlpack::versioned>(2.f * back);
  CHECK(static_cast<float*>(m->dl_tensor.data)[0] == 6);
  m->deleter(m);
}

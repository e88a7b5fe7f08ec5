// random_crop<Height, Width>: from 1 to the height and width of the images
// A crop that is larger than the images, where their types say how large they are.
#include <ricci/data/augment.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 8, 8, 3> images;
#ifdef FIXED
  rc::ndarray<float, 4> y = rc::data::random_crop<8, 6>(images, rc::random::key(1), 2);
#else
  rc::ndarray<float, 4> y = rc::data::random_crop<9, 6>(images, rc::random::key(1), 2);
#endif
}

# The floors of the library, folders of include/ricci, lowest first.
set(floors core shape graph ops transform expr kernel exec tensor autodiff inspect any linalg optimize fft special random io conv attention data nn)

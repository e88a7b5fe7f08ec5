// Made by optax_table.py with Optax 0.2.8.
#pragma once

namespace optax_table {

inline constexpr float gradients[5][3]{{0.0e+00f, 8.4147096e-01f, 9.092975e+00f},
                                       {9.916648e-02f, 4.2737988e-01f, -5.2983613e+00f},
                                       {-2.555411e-02f, -9.516021e-01f, -7.727645e+00f},
                                       {-9.2581466e-02f, -1.8216251e-01f, 7.2896905e+00f},
                                       {4.9411334e-02f, 9.985433e-01f, 5.849172e+00f}};
inline constexpr float start[3]{5.0e-01f, -1.0e+00f, 2.0e+00f};
inline constexpr int steps[8]{0, 1, 7, 9, 10, 19, 25, 40};
inline constexpr float sgd[3]{4.9695572e-01f, -1.1133629e+00f, 1.0794168e+00f};
inline constexpr float momentum[3]{4.8547116e-01f, -1.298926e+00f, 2.2267598e-01f};
inline constexpr float nesterov[3]{4.8387983e-01f, -1.3823963e+00f, -5.201746e-01f};
inline constexpr float rmsprop[3]{3.7345046e-01f, -1.3895341e+00f, 1.7510856e+00f};
inline constexpr float adagrad[3]{4.9042138e-01f, -1.1126971e+00f, 1.9243938e+00f};
inline constexpr float adadelta[3]{4.9991938e-01f, -1.0004555e+00f, 1.9996688e+00f};
inline constexpr float adam[3]{3.940995e-01f, -1.2256331e+00f, 1.8662455e+00f};
inline constexpr float adamw[3]{3.918921e-01f, -1.2199564e+00f, 1.8566862e+00f};
inline constexpr float adamax[3]{4.2963457e-01f, -1.1988835e+00f, 1.8733207e+00f};
inline constexpr float nadam[3]{3.9302552e-01f, -1.2442596e+00f, 1.8546956e+00f};
inline constexpr float amsgrad[3]{4.0053695e-01f, -1.20331e+00f, 1.8734113e+00f};
inline constexpr float lion[3]{5.0e-01f, -1.1e+00f, 1.8999999e+00f};
inline constexpr float radam[3]{4.9268058e-01f, -1.1519765e+00f, 1.0471405e+00f};
inline constexpr float lamb[3]{3.0427462e-01f, -1.4449317e+00f, 1.6049322e+00f};
inline constexpr float lars[3]{4.994394e-01f, -1.0047882e+00f, 1.9911411e+00f};
inline constexpr float clipped[3]{4.9695572e-01f, -1.0745217e+00f, 1.95e+00f};
inline constexpr float clipped_by_norm[3]{4.9889982e-01f, -1.0193611e+00f, 1.9008031e+00f};
inline constexpr float lookahead[3]{4.4375777e-01f, -1.1278762e+00f, 1.9190866e+00f};
inline constexpr float matrix_gradients[5][6]{
    {0.0e+00f, 8.4147096e-01f, -7.568025e+00f, 9.092974e-02f, 1.4112e-01f, -2.794155e+00f},
    {9.635582e-02f, 7.457052e-01f, -8.322675e+00f, -1.5774569e-02f, -9.1616595e-01f, 8.504366e+00f},
    {5.155014e-02f, -4.4252044e-01f, 3.1154137e+00f, -9.93691e-02f, -6.3126665e-01f, 7.343971e+00f},
    {-6.8776615e-02f, -9.8245263e-01f, 9.989413e+00f, -3.7387665e-02f, 5.784398e-01f, -4.575359e+00f},
    {-8.834547e-02f, -8.3089404e-02f, 2.2288992e+00f, 7.936679e-02f, 9.407306e-01f, -9.791778e+00f}};
inline constexpr float matrix_start[6]{5.0e-01f, -1.0e+00f, 2.0e+00f, 1.5e+00f, 2.5e-01f, -7.5e-01f};
inline constexpr float adafactor[6]{5.323392e-01f,  -9.341532e-01f, 1.9387023e+00f,
                                    1.4030827e+00f, 2.0478699e-01f, -6.8690675e-01f};
inline constexpr float adafactor_turned[6]{5.323392e-01f,  1.4030827e+00f, -9.341532e-01f,
                                           2.0478699e-01f, 1.9387023e+00f, -6.8690675e-01f};
inline constexpr float muon[6]{4.8602617e-01f, -9.8198426e-01f, 2.0723202e+00f,
                               1.4606855e+00f, 3.258258e-01f,   -7.7263516e-01f};
inline constexpr float muon_turned[6]{4.885904e-01f,  1.4678999e+00f, -9.852903e-01f,
                                      3.1191146e-01f, 2.0590494e+00f, -7.684815e-01f};
inline constexpr float adaptive_clip[6]{5.009216e-01f,  -1.0012597e+00f, 2.0034573e+00f,
                                        1.4982235e+00f, 2.4889816e-01f,  -7.463138e-01f};
inline constexpr float adaptive_clip_turned[6]{5.008149e-01f,  1.4994212e+00f, -9.96279e-01f,
                                               2.4725755e-01f, 1.9528686e+00f, -7.156264e-01f};
inline constexpr float adafactor_of_vector[3]{4.6567637e-01f, -1.1895688e+00f, 1.8572092e+00f};
inline constexpr float exponential_decay[8]{5.0e-01f, 4.4328406e-01f, 2.1525581e-01f, 1.6919175e-01f,
                                            1.5e-01f, 5.0757524e-02f, 2.4647517e-02f, 4.0500006e-03f};
inline constexpr float step_decay[8]{5.0e-01f, 5.0e-01f, 5.0e-01f, 5.0e-01f,
                                     1.5e-01f, 1.5e-01f, 4.5e-02f, 4.0500006e-03f};
inline constexpr float polynomial_decay[8]{5.0e-01f, 4.61e-01f, 2.69e-01f, 2.2100002e-01f,
                                           2.0e-01f, 1.01e-01f, 1.0e-01f,  1.0e-01f};
inline constexpr float cosine_decay[8]{5.0e-01f,       4.9722987e-01f, 3.7714785e-01f, 3.1019777e-01f,
                                       2.7499998e-01f, 5.277012e-02f,  5.0e-02f,       5.0e-02f};
inline constexpr float warmup_cosine[8]{0.0e+00f,      6.25e-02f,      4.375e-01f,     4.977098e-01f,
                                        4.908859e-01f, 2.7499995e-01f, 1.0495633e-01f, 5.0e-02f};
inline constexpr float one_cycle[8]{2.000001e-02f, 3.4473777e-02f, 4.438507e-01f, 5.0e-01f,
                                    4.972077e-01f, 2.6868343e-01f, 6.673874e-02f, 2.0e-06f};
inline constexpr float joined[8]{0.0e+00f, 6.25e-02f,      4.375e-01f,    5.0e-01f,
                                 5.0e-01f, 2.8910863e-01f, 7.322331e-02f, 0.0e+00f};
inline constexpr float clipped_per_example[3]{1.5402868e-03f, 2.7105615e-02f, 1.388759e-01f};
inline constexpr float centralized[5][3]{{-6.088449e-03f, 6.14745e-01f, 7.251808e+00f},
                                         {9.307803e-02f, 2.0065396e-01f, -7.139528e+00f},
                                         {-3.164256e-02f, -1.178328e+00f, -9.568811e+00f},
                                         {-9.866992e-02f, -4.0888843e-01f, 5.448524e+00f},
                                         {4.3322884e-02f, 7.718174e-01f, 4.0080056e+00f}};

}  // namespace optax_table

// Written by torch_schedules.py.
#pragma once

// clang-format off
namespace torch_schedules {

inline constexpr float triangular[8]{1.0e-01f, 1.8e-01f, 3.4e-01f, 1.8e-01f, 1.0e-01f, 1.8e-01f, 5.0e-01f, 1.0e-01f};
inline constexpr float triangular2[8]{1.0e-01f, 1.8e-01f, 3.4e-01f, 1.8e-01f, 1.0e-01f, 1.4e-01f, 2.0e-01f, 1.0e-01f};
inline constexpr float restarts[8]{5.0e-01f, 4.77718e-01f, 5.0e-01f, 4.152852e-01f, 3.2506722e-01f, 1.347148e-01f, 2.2493279e-01f, 1.347148e-01f};
inline constexpr float restarts_doubled[8]{5.0e-01f, 4.8643085e-01f, 1.0264e-01f, 5.0e-01f, 4.9658173e-01f, 2.3592916e-01f, 6.356916e-02f, 3.700891e-01f};
inline constexpr float noam[8]{3.90625e-03f, 7.8125e-03f, 3.125e-02f, 2.795085e-02f, 2.665009e-02f, 1.9764235e-02f, 1.7334381e-02f, 1.3803941e-02f};
inline constexpr float rprop[3]{4.5000002e-01f, -1.1600001e+00f, 1.925e+00f};
inline constexpr float measures[14]{1.0e-01f, 3.0e-01f, 3.5e-01f, 3.0e-01f, 2.5e-01f, 2.0e-01f, 6.0e-01f, 6.5e-01f, 6.9e-01f, 5.0e-01f, 5.0e-01f, 4.0e-01f, 4.0e-01f, 4.0e-01f};
inline constexpr float plateau[14]{1.0e+00f, 1.0e+00f, 1.0e+00f, 5.0e-01f, 5.0e-01f, 2.5e-01f, 2.5e-01f, 2.5e-01f, 2.0e-01f, 2.0e-01f, 2.0e-01f, 2.0e-01f, 2.0e-01f, 2.0e-01f};

}  // namespace torch_schedules
// clang-format on

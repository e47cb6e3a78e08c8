// How the core lets its caller stop work that takes long.
#pragma once

namespace gpu_advisor {

/// Called again and again by work whose input has no small bound. It returns, or throws what shall
/// end the work.
using Poll = void (*)();

inline void no_poll() {}

}  // namespace gpu_advisor

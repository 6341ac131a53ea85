// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/tai.hpp"

#include <cstdint>
#include <ctime>

#include "hild/rt/clock.hpp"

namespace hild::rt {
namespace {

constexpr int tries = 3;
constexpr Duration close_enough = 500_ns;
constexpr std::int64_t ns_of_a_second = 1'000'000'000;

std::int64_t ns_of(clockid_t clock) noexcept {
  timespec now{};
  ::clock_gettime(clock, &now);
  return now.tv_sec * ns_of_a_second + now.tv_nsec;
}

class KernelTai final : public TaiClock {
 public:
  TaiReading read() noexcept override {
    TaiReading best{{}, {INT64_MAX}};
    for (int n = 0; n < tries && best.uncertain > close_enough; ++n) {
      const MonoTime before = monotonic_now();
      const std::int64_t tai = ns_of(CLOCK_TAI);
      const Duration half = (monotonic_now() - before) / 2;
      if (half < best.uncertain) best = {{tai - before.ns - half.ns}, half};
    }
    return best;
  }
};

}  // namespace

TaiClock& kernel_tai() noexcept {
  static KernelTai one;
  return one;
}

// Both are read one after the other: it is the nearest second.
std::int64_t utc_behind_tai() noexcept {
  const std::int64_t utc = ns_of(CLOCK_REALTIME);
  return (ns_of(CLOCK_TAI) - utc + ns_of_a_second / 2) / ns_of_a_second;
}

}  // namespace hild::rt

// SPDX-License-Identifier: Apache-2.0
/// \file
/// What controls floating-point results: rounding, flushing of small numbers to zero, exceptions
/// that trap. Code of others is called between a FloatControl and its end, which puts back what
/// that code changed: loading a library that was linked with -ffast-math is enough to flush to zero
/// from there on, in every model of the thread. Real-time safe; a few nanoseconds, and next to none
/// for one within another: some processors take twenty cycles to tell the control word.
#pragma once

#include <cfenv>
#include <cstdint>
#include <type_traits>

namespace hild::numerics {

// The compiler is to read and write the control words where it says so: no matter of threads.

/// Flags of what has happened are no part of it: they steer nothing. What is put back is what the
/// thread had when its first FloatControl began; of several within one another, by the outermost.
class FloatControl {
 public:
  [[gnu::always_inline]] FloatControl() noexcept : outermost_(!inside) {
    if (!outermost_) return;
    inside = true;
    if (usual == 0) [[unlikely]] {
      usual = now();
    }
  }
  FloatControl(const FloatControl&) = delete;
  FloatControl& operator=(const FloatControl&) = delete;
  [[gnu::always_inline]] ~FloatControl() {
    if (!outermost_) return;
    inside = false;
    if (now() != usual) [[unlikely]] {
      put_back(usual);
    }
  }

  /// How often something had to be put back on this thread.
  [[nodiscard]] static long put_back_here() noexcept { return here; }

 private:
#if defined(__x86_64__)
  using Words = std::uint64_t;
  static constexpr unsigned sse_control = 0xffc0;
  [[gnu::always_inline]] static Words now() noexcept {
    std::uint16_t x87;  // NOLINT(cppcoreguidelines-init-variables): the instruction fills it
    __asm__ __volatile__("fnstcw %0" : "=m"(x87) : : "memory");
    return (static_cast<Words>(x87) << 32U) | (__builtin_ia32_stmxcsr() & sse_control);
  }
  [[gnu::noinline, gnu::cold]] static void put_back(Words words) noexcept {
    const unsigned flags = __builtin_ia32_stmxcsr() & ~sse_control;
    __builtin_ia32_ldmxcsr((static_cast<unsigned>(words) & sse_control) | flags);
    const auto x87 = static_cast<std::uint16_t>(words >> 32U);
    __asm__ __volatile__("fnclex\n\tfldcw %0" : : "m"(x87) : "memory");
    ++here;
  }
#else
  using Words = int;
  static Words now() noexcept { return std::fegetround() + 1; }
  static void put_back(Words words) noexcept {
    std::fesetround(words - 1);
    ++here;
  }
#endif
  static inline thread_local long here = 0;
  static inline thread_local Words usual = 0;  // 0: not known yet
  static inline thread_local bool inside = false;

  bool outermost_;
};

/// One call of such code.
template <class R, class... Parameters>
[[gnu::always_inline]] inline R kept_apart(R (*call)(Parameters...),
                                           std::type_identity_t<Parameters>... arguments) noexcept {
  const FloatControl kept;
  return call(arguments...);
}

}  // namespace hild::numerics

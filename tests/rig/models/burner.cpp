// SPDX-License-Identifier: Apache-2.0
/// A clock that loses time on request: x' = 1, and passes in [from, to) burn the CPU. Where one
/// instruction takes one nanosecond (the rig's counted mode) they burn exactly `burn`, so that
/// overruns can be made to order and counted. They also touch `pages` that have no memory yet.
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

#include "hild/model/integrated.hpp"

namespace hild::model {
namespace {

// Two instructions a turn, whatever the compiler.
void burn_instructions(std::int64_t instructions) noexcept {
  std::int64_t turns = instructions / 2;
  if (turns <= 0) return;
  asm volatile("1: dec %0\n jnz 1b" : "+r"(turns) : : "cc");
}

// Each page that is written to is a page fault: what a run has locked is given back before.
void touch_fresh_pages(std::size_t pages) noexcept {
  constexpr std::size_t page = 4096;
  constexpr std::size_t most = 4096;
  alignas(page) static std::byte memory[most * page];
  if (pages == 0 || pages > most) return;
  ::munlock(memory, sizeof memory);
  ::madvise(memory, pages * page, MADV_DONTNEED);
  for (std::size_t i = 0; i < pages; ++i) {
    *static_cast<volatile std::byte*>(&memory[i * page]) = std::byte{1};
  }
}

struct Burner {
  static constexpr std::string_view name = "burner";
  static constexpr std::string_view summary = "counts seconds; burns the CPU in chosen steps";

  enum { from, to, burn, pages };

  static constexpr std::array states{State{"seconds", "s"}};
  static constexpr std::array inputs{Input{"ignored", "V"}};
  static constexpr std::array outputs{Output{"seconds", "s"}};
  static constexpr std::array<Feedthrough, 0> feedthrough{};
  static constexpr std::array parameters{
      Parameter{"from", "s", 0.0, 0.0}, Parameter{"to", "s", 0.0, 0.0},
      Parameter{"burn", "s", 0.0, 0.0}, Parameter{"pages", "1", 0.0, 0.0, 4096.0}};
  using D = Data<Burner>;

  static void derivatives(double t, D::X /*x*/, D::U /*u*/, D::P p, D::DX dx) noexcept {
    if (t >= p[from] && t < p[to]) {
      burn_instructions(static_cast<std::int64_t>(1e9 * p[burn]));
      touch_fresh_pages(static_cast<std::size_t>(p[pages]));
    }
    dx[0] = 1;
  }
  static void outputs_of(double /*t*/, D::X x, D::U /*u*/, D::P /*p*/, D::Y y) noexcept {
    y[0] = x[0];
  }
};

HILD_MODEL(Burner);

}  // namespace
}  // namespace hild::model

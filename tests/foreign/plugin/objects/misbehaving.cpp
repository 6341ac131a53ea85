// SPDX-License-Identifier: Apache-2.0
/// A model that does what a model must not, once its parameter `fault` tells it to.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "hild/model/integrated.hpp"

namespace {

namespace model = hild::model;

[[gnu::noinline]] int deeper(int depth) {
  std::array<volatile char, 4096> frame{};
  frame[static_cast<std::size_t>(depth) % frame.size()] = 1;
  if (depth < 0) return 0;
  return deeper(depth + 1) + frame[0];
}

// Of the process, not of the machine; or of a group of processes that is given little.
void take_all_memory(bool limited = true) {
  const rlimit little{1U << 28U, 1U << 28U};
  if (limited) ::setrlimit(RLIMIT_AS, &little);
  static volatile char* kept = nullptr;  // else the compiler finds that nobody wants any
  while (true) {
    kept = new char[1U << 20U];
    for (std::size_t at = 0; at < 1U << 20U; at += 4096) kept[at] = 1;
  }
}

bool on_frame_thread() {
  std::array<char, 16> name{};
  ::prctl(PR_GET_NAME, name.data());
  return std::string_view(name.data()) == "hild-frame";
}

void misbehave(int fault) {
  switch (fault) {
    case 1:
      *reinterpret_cast<volatile int*>(8) = 1;
      break;
    case 2:
      std::abort();
    case 3:
      ::_exit(0);
    case 4:
      for (volatile long n = 0;; n = n + 1) {
      }
    case 5:
      while (true) ::pause();
    case 6:
      ::_exit(deeper(0));
    case 7:
      take_all_memory();
      break;
    case 8:
      take_all_memory(false);
      break;
    case 9:
      std::exit(0);
    case 10:
      std::quick_exit(0);
    case 11:  // on another thread than that of the frames
      while (!on_frame_thread()) ::pause();
      break;
    default:
      break;
  }
}

struct Misbehaving {
  static constexpr std::string_view name = "misbehaving", summary = "5 V until told to misbehave";
  static constexpr std::array states{model::State{"x", "V", 5}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"y", "V"}};
  static constexpr std::array parameters{model::Parameter{"fault", "1", 0, 0, 11}};
  using D = model::Data<Misbehaving>;
  static void derivatives(double /*t*/, D::X /*x*/, D::U /*u*/, D::P p, D::DX dx) noexcept {
    if (p[0] != 0) misbehave(static_cast<int>(p[0]));
    dx[0] = 0;
  }
  static void outputs_of(double /*t*/, D::X x, D::U /*u*/, D::P /*p*/, D::Y y) noexcept {
    y[0] = x[0];
  }
};

HILD_MODEL(Misbehaving);

}  // namespace

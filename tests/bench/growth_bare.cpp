// SPDX-License-Identifier: Apache-2.0
/// The peer of `growth`: the arithmetic that a frame cannot do without, in a loop by hand.
///     growth_bare AXIS N FRAMES     AXIS: channels, states, events
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

namespace {

using Values = std::vector<double>;

/// What a model of N states by RTAM-2 computes in a frame: two derivatives, a weighted sum each.
class States {
 public:
  explicit States(std::size_t n) : x_(n), middle_(n), f_(n), before_(n) {}
  void frame() noexcept {
    const double h = 1e-3;
    derivatives(x_, f_);
    for (std::size_t i = 0; i < x_.size(); ++i) {
      middle_[i] = x_[i] + h * (0.625 * f_[i] - 0.125 * before_[i]);
      before_[i] = f_[i];
    }
    derivatives(middle_, f_);
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += h * f_[i];
  }

 private:
  static void derivatives(const Values& x, Values& f) noexcept {
    f[0] = 10.0 * (1.0 - x[0]);
    for (std::size_t i = 1; i < x.size(); ++i) f[i] = 10.0 * (x[i - 1] - x[i]);
  }
  Values x_, middle_, f_, before_;
};

/// What N inputs and N outputs of 16 bits need: level, volts and scale in, limits and scale out.
class Channels {
 public:
  explicit Channels(std::size_t n) : level_(n, 40'000), signal_(n), line_(n) {}
  void frame() noexcept {
    for (std::size_t i = 0; i < level_.size(); ++i) {
      signal_[i] = 2.0 * (-10.0 + level_[i] * (20.0 / 65'535)) + 0.5;
    }
    for (std::size_t i = 0; i < level_.size(); ++i) {
      const double volts = (signal_[i] - 0.5) * 0.5;
      const double cut = volts < -10.0 ? -10.0 : volts > 10.0 ? 10.0 : volts;
      line_[i] = static_cast<std::uint16_t>((cut + 10.0) * (65'535 / 20.0) + 0.5);
    }
  }

 private:
  std::vector<std::uint16_t> level_;
  Values signal_;
  std::vector<std::uint16_t> line_;
};

/// N event functions, and whether one has changed its sign.
class Events {
 public:
  explicit Events(std::size_t n) : before_(n, -1), now_(n) {}
  void frame() noexcept {
    x_ += 1e-6;
    for (std::size_t i = 0; i < now_.size(); ++i) {
      now_[i] = x_ - 1000.0 - static_cast<double>(i);
    }
    for (std::size_t i = 0; i < now_.size(); ++i) {
      if ((before_[i] < 0) != (now_[i] < 0)) ++crossed_;
      before_[i] = now_[i];
    }
  }

 private:
  double x_ = 0;
  Values before_, now_;
  int crossed_ = 0;
};

template <class Axis>
void run(std::size_t n, int frames) noexcept {
  Axis axis(n);
  for (int i = 0; i < frames; ++i) {
    axis.frame();
    asm volatile("" ::: "memory");  // as a frame ends with calls that see everything
  }
}

std::size_t number(std::string_view text) {
  std::size_t n = 0;
  std::from_chars(text.data(), text.data() + text.size(), n);
  return n;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 1;
  const std::string_view axis = argv[1];
  const std::size_t n = number(argv[2]);
  const int frames = static_cast<int>(number(argv[3]));
  if (axis == "states") run<States>(n, frames);
  if (axis == "channels") run<Channels>(n, frames);
  if (axis == "events") run<Events>(n, frames);
}

// SPDX-License-Identifier: Apache-2.0
#include "drivers/sim_source.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "drivers/sim_converter.hpp"
#include "drivers/sim_csv.hpp"
#include "hild/core/result.hpp"

namespace hild::sim {
namespace {

/// Depends on time alone.
class Timed : public Source, public io::Signal {
 public:
  const io::Signal* signal() const noexcept final { return this; }
};

class Constant final : public Timed {
 public:
  explicit Constant(double value) : value_(value) {}
  double at(const Moment&) const noexcept override { return value_; }
  double value(double, SimTime) const noexcept override { return value_; }

 private:
  double value_;
};

class Sine final : public Timed {
 public:
  Sine(double amplitude, double hertz, double offset, double phase)
      : amplitude_(amplitude), hertz_(hertz), offset_(offset), phase_(phase) {}
  double at(const Moment& m) const noexcept override { return value(seconds(m.elapsed), {}); }
  double value(double t, SimTime) const noexcept override {
    return offset_ + amplitude_ * std::sin(2 * std::numbers::pi * hertz_ * t + phase_);
  }

 private:
  double amplitude_, hertz_, offset_, phase_;
};

class StepWave final : public Timed {
 public:
  StepWave(double before, double after, Duration at) : before_(before), after_(after), at_(at) {}
  double at(const Moment& m) const noexcept override { return m.elapsed < at_ ? before_ : after_; }
  double value(double, SimTime piece) const noexcept override {
    return piece.ns < at_.ns ? before_ : after_;
  }
  SimTime next_break(SimTime t) const noexcept override {
    return t.ns < at_.ns ? SimTime{at_.ns} : no_break;
  }

 private:
  double before_, after_;
  Duration at_;
};

/// Before its first row a recording has the first value, after its last the last one, unless it
/// repeats: then the first row follows the last after the same time as the last the one before it.
class Recording final : public Timed {
 public:
  Recording(Track track, bool hold, bool repeat) : track_(std::move(track)), hold_(hold) {
    auto& time = track_.time;
    if (!repeat || time.size() < 2) return;
    period_ = time.back() - time.front() + (time.back() - time[time.size() - 2]);
    time.push_back(time.front() + period_);
    track_.value.push_back(track_.value.front());
  }

  double at(const Moment& m) const noexcept override {
    return between_rows(turn_of(m.elapsed).within,
                        [](Duration t, Duration row) { return seconds(t - row); });
  }
  double value(double t, SimTime piece) const noexcept override {
    const Turn turn = turn_of({piece.ns});
    return between_rows(turn.within,
                        [&](Duration, Duration row) { return t - seconds(turn.start + row); });
  }
  SimTime next_break(SimTime t) const noexcept override {
    const Turn turn = turn_of({t.ns});
    const auto& time = track_.time;
    const auto next = std::upper_bound(time.begin(), time.end(), turn.within);
    if (next == time.end()) return no_break;
    return {(turn.start + *next).ns};
  }

 private:
  /// A time of the first turn, and when the turn it belongs to began.
  struct Turn {
    Duration start{};
    Duration within;
  };
  [[nodiscard]] Turn turn_of(Duration t) const noexcept {
    const Duration first = track_.time.front();
    if (period_.ns == 0 || t <= first) return {.within = t};
    const Duration start = period_ * ((t - first).ns / period_.ns);
    return {start, t - start};
  }

  /// The value at `t`; `since` tells how many seconds it lies after the row before it.
  template <class Since>
  [[nodiscard]] double between_rows(Duration t, Since since) const noexcept {
    const auto& [time, value] = track_;
    const auto after = std::upper_bound(time.begin(), time.end(), t);
    if (after == time.begin()) return value.front();
    if (after == time.end()) return value.back();
    const auto i = static_cast<std::size_t>(after - time.begin());
    if (hold_) return value[i - 1];
    return std::lerp(value[i - 1], value[i],
                     since(t, time[i - 1]) / seconds(time[i] - time[i - 1]));
  }

  Track track_;
  bool hold_;
  Duration period_{};
};

class Loopback final : public Source {
 public:
  explicit Loopback(int channel) : channel_(channel) {}
  double at(const Moment& m) const noexcept override {
    return m.outputs[static_cast<std::size_t>(channel_)];
  }
  int loopback() const noexcept override { return channel_; }

 private:
  int channel_;
};

class Command final : public Source {
 public:
  double at(const Moment& m) const noexcept override { return m.command; }
  bool is_command() const noexcept override { return true; }
};

io::Options& section(io::Options& in, std::string_view key) {
  io::Options* const map = in.child(key);
  if (map == nullptr) in.reject(key, "expected a map");
  return *map;
}

SourcePtr make_constant(io::Options& in, std::string_view unit, bool) {
  return std::make_unique<Constant>(in.number("constant", unit));
}

SourcePtr make_sine(io::Options& in, std::string_view unit, bool) {
  auto& o = section(in, "sine");
  return std::make_unique<Sine>(o.number("amplitude", unit),
                                o.number("frequency", "Hz", {}, {.low = 0}),
                                o.number("offset", unit, 0.0), o.number("phase", "rad", 0.0));
}

SourcePtr make_step(io::Options& in, std::string_view unit, bool) {
  auto& o = section(in, "step");
  return std::make_unique<StepWave>(o.number("before", unit), o.number("after", unit),
                                    o.duration("at"));
}

SourcePtr make_csv(io::Options& in, std::string_view, bool hold) {
  auto& o = section(in, "csv");
  Columns columns{.value = o.text("column"), .time = o.text("time", "")};
  if (columns.time.empty()) {
    columns.rate = o.number("rate", "Hz", {}, {.low = 1e-6, .high = 1e9});
  } else if (o.has("rate")) {
    o.reject("rate", "either a time column or a rate, not both");
  }
  auto track = read_csv(o.path("file"), columns);
  if (!track) o.reject("file", track.error().message);
  return std::make_unique<Recording>(std::move(*track), hold, o.boolean("repeat", false));
}

SourcePtr make_loopback(io::Options& in, std::string_view, bool) {
  return std::make_unique<Loopback>(static_cast<int>(in.integer("loopback", 0, highest_channel)));
}

SourcePtr make_command(io::Options& in, std::string_view, bool) {
  (void)in.choice("controller", {"command"});
  return std::make_unique<Command>();
}

struct SourceKind {
  std::string_view key;
  SourcePtr (*make)(io::Options&, std::string_view unit, bool hold);
};

/// The first four depend on time alone.
constexpr std::array<SourceKind, 6> kinds{{{"constant", make_constant},
                                           {"sine", make_sine},
                                           {"step", make_step},
                                           {"csv", make_csv},
                                           {"loopback", make_loopback},
                                           {"controller", make_command}}};

SourcePtr read_one_of(io::Options& in, std::string_view key, io::Options& map,
                      std::span<const SourceKind> allowed, std::string_view unit, bool hold) {
  const SourceKind* found = nullptr;
  int count = 0;
  for (const SourceKind& kind : allowed) {
    if (!map.has(kind.key)) continue;
    found = &kind;
    ++count;
  }
  if (count != 1) {
    std::vector<std::string_view> names;
    for (const SourceKind& kind : allowed) names.push_back(kind.key);
    in.reject(key, fmt::format("expected exactly one of {}", fmt::join(names, ", ")));
  }
  return found->make(map, unit, hold);
}

}  // namespace

SourcePtr read_source(io::Options& entry, std::string_view key, std::string_view unit, bool hold) {
  if (!entry.has(key)) return std::make_unique<Constant>(0);
  return read_one_of(entry, key, section(entry, key), kinds, unit, hold);
}

SourcePtr read_setpoint(io::Options& entry, std::string_view key, std::string_view unit) {
  return read_one_of(entry, key, section(entry, key), std::span(kinds).first<4>(), unit, false);
}

}  // namespace hild::sim

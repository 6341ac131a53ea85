// SPDX-License-Identifier: Apache-2.0
/// \file
/// The world at the converters of a simulated device: what its D/A lines hold and held, the
/// controller's command, and what its A/D lines see of it all. Has no thread and no clock of its
/// own: it is told the time. Real-time safe once prepared.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "drivers/sim_converter.hpp"
#include "drivers/sim_history.hpp"
#include "drivers/sim_image.hpp"
#include "drivers/sim_source.hpp"
#include "hild/rt/triple_buffer.hpp"

namespace hild::sim {

struct AnalogInput {
  Line line;
  double noise_rms;
  Noise noise;
  std::size_t group;
  SourcePtr source;
};

class World {
 public:
  std::vector<AnalogInput> inputs;
  std::vector<Line> outputs;
  /// Of each image group, how long after a conversion is asked for its lines are taken; negative:
  /// as they were before.
  std::vector<Duration> groups;
  /// What the D/A lines hold, for other processes, and for threads that are not the converter's.
  SimImage image;

  /// After the last channel was added; the lines hold `voltages` (by D/A channel, as many as are
  /// kept).
  void prepare(std::span<const double> voltages);
  /// D/A channels that are kept: up to the last one in use.
  [[nodiscard]] std::size_t width() const noexcept;

  /// Sources count their time from `epoch`, which may lie ahead.
  void start(MonoTime epoch) noexcept { epoch_ = epoch; }
  [[nodiscard]] bool started() const noexcept { return epoch_.has_value(); }
  [[nodiscard]] MonoTime epoch() const noexcept { return *epoch_; }

  /// From `t` on the D/A lines hold `values`, in the order the outputs were added.
  void write(MonoTime t, std::span<const double> values) noexcept;
  /// From `t` on the controller commands `value`.
  void command(MonoTime t, double value) noexcept { command_->record(t)[0] = value; }
  /// The same from the thread of the controller; the next sample() sees the newest.
  void post_command(MonoTime t, double value) noexcept {
    posted_.back() = {t, value};
    posted_.publish();
  }
  /// Voltages by D/A channel.
  [[nodiscard]] std::span<const double> held() const noexcept { return held_->latest(); }

  /// The group of lines that are taken so long after it is asked for.
  [[nodiscard]] std::size_t group_of(Duration after);

  /// An A/D image asked for at `t`, each group as it is at its instant. `counts`: the converter's
  /// level of each line.
  void sample(MonoTime t, std::span<double> values, std::span<std::uint32_t> counts) noexcept;
  /// When its groups were taken.
  void instants(MonoTime t, std::span<MonoTime> of) const noexcept;

 private:
  struct Command {
    MonoTime since{};
    double value = 0;
  };

  std::optional<MonoTime> epoch_;
  std::optional<InputHistory> held_;
  std::optional<InputHistory> command_;
  std::vector<Moment> moments_;  // of each group, while sampling
  rt::TripleBuffer<Command> posted_{Command{}};
};

}  // namespace hild::sim

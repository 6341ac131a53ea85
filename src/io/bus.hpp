// SPDX-License-Identifier: Apache-2.0
/// \file
/// The live sampler: devices, and the map between their converter values and the signals of the
/// model. Signal = scale * converter value + offset, in both directions.
///
/// The outputs are armed, and then follow the model, or they are disarmed, and then their safe
/// actions hold. safe() begins the safe actions of all lines; those that take time go on in later
/// calls of safe() or exchange(), until settled().
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "hild/io/device.hpp"
#include "hild/io/sampler.hpp"
#include "hild/rt/atomic.hpp"
#include "io/image_history.hpp"
#include "io/output_stage.hpp"

namespace hild::io {

/// An input signal: which channel it comes from.
struct InputSignal {
  Name name;
  Channel channel;
  double scale = 1;
  double offset = 0;
  double start = 0;  ///< in signal units; kept while no device supplies the signal
  double restart_above = std::numeric_limits<double>::infinity();  ///< a larger jump restarts
  LossRule loss{};
  int device = -1;       ///< index into the bus, -1: no device, the start value holds
  std::size_t slot = 0;  ///< order within that device's inputs
};

/// An output signal: which channel it goes to, and what that channel may carry.
struct OutputSignal {
  Name name;
  Channel channel;
  double scale = 1;
  double offset = 0;
  Interval limits;  ///< converter units, within the channel's range
  double safe = 0;  ///< converter units
  SafeAction action{};
  double slew = std::numeric_limits<double>::infinity();  ///< converter units a second
  /// Converter units a write may move the line at most, however long the one before is ago.
  double most_step = std::numeric_limits<double>::infinity();
  int device = -1;  ///< -1: computed, not put out
  std::size_t slot = 0;
};

/// An output of which values were cut to the limits of its line; in signal units.
struct CutOutput {
  std::size_t signal = 0;   ///< its index in the outputs of the model
  std::int64_t values = 0;  ///< so far
  double last = 0;          ///< the last of them, as the model wanted it
  Interval limits;          ///< what the line can carry
};

/// A device in a bus.
struct Member {
  Name name;
  std::unique_ptr<Device> device;
  LossRule loss{};  ///< of its inputs, where they have none of their own
};

class Bus final : public Sampler {
 public:
  Bus(std::vector<Member> members, std::vector<InputSignal> inputs,
      std::vector<OutputSignal> outputs);
  ~Bus() override;

  /// Before opening: of the devices that can, outputs are looked at and not written, whoever drives
  /// them; or all that is outside this process is let go of.
  void observe();
  void detach();
  /// Opens all devices; the first that cannot be opened is the error.
  [[nodiscard]] Result<void> open(rt::Clock& clock);
  /// Opens what can be opened and is not open yet; safe() then serves that. Returns an error for
  /// each of the others.
  [[nodiscard]] std::vector<Error> open_all(rt::Clock& clock);
  void start();
  void stop();

  /// Lets outputs follow the model from the next exchange that carries some, going there in the
  /// time `over` from where they are; or takes them to their safe values and keeps them there. A
  /// bus is armed when it is made. From any thread.
  void arm(Duration over) noexcept;
  void disarm() noexcept override;
  /// Before the run: it begins disarmed.
  void start_disarmed() noexcept;
  /// Whether outputs follow the model, those still on their way included. From any thread.
  [[nodiscard]] bool armed() const noexcept { return armed_.get() != 0; }
  /// Whether every line is where the last call was to bring it. Not while another thread exchanges.
  [[nodiscard]] bool settled() const noexcept;
  /// Whether any output is wired to a device.
  [[nodiscard]] bool drives() const noexcept;

  bool exchange(std::span<const double> y, std::span<double> u, MonoTime now,
                std::span<MonoTime> sampled) noexcept override;
  bool safe() noexcept override;
  bool lines(std::span<double> carried) const noexcept override;
  [[nodiscard]] std::size_t groups() const noexcept override { return groups_; }
  [[nodiscard]] std::span<const std::uint32_t> counts() const noexcept override { return counts_; }
  /// Which inputs have raw counts, in the order of counts().
  [[nodiscard]] const std::vector<std::size_t>& counted() const noexcept { return counted_; }

  [[nodiscard]] const std::vector<InputSignal>& inputs() const noexcept { return inputs_; }
  [[nodiscard]] const std::vector<OutputSignal>& outputs() const noexcept { return outputs_; }
  [[nodiscard]] const std::vector<Member>& members() const noexcept { return members_; }
  /// What its inputs are between two images, in their order. The groups of a device follow those
  /// of the devices before it; what no device supplies is of the first.
  [[nodiscard]] std::vector<SampledInput> sampled_inputs() const;

  /// Index of the device that failed first, -1 while all answer.
  [[nodiscard]] int failed() const noexcept { return static_cast<int>(failed_.get()); }
  /// "device daq: ...", after a failure.
  [[nodiscard]] Error failure() const;
  /// Output values cut to their limits, and those that were not finite and went safe.
  [[nodiscard]] std::int64_t clamped() const noexcept { return clamped_.get(); }
  [[nodiscard]] const rt::Counter* cut_values() const noexcept override { return &clamped_; }
  /// The outputs it befell, in their order. From any thread; allocates.
  [[nodiscard]] std::vector<CutOutput> cut_outputs() const;

 private:
  // A wired input: where its converter value lies in the device's buffer, and the conversion.
  struct Wire {
    std::size_t signal;
    std::size_t slot;
    double scale;
    double offset;
  };
  // A raw count: its place in the device's and in ours.
  struct Count {
    std::size_t slot;
    std::size_t place;
  };
  // A device and what a call of it carries.
  struct Call {
    Device* device = nullptr;
    OutputStage outputs;
    std::size_t first_group = 0;
    std::size_t groups = 0;
    std::vector<Wire> input_wires;
    std::vector<Count> input_counts;
    const std::uint32_t* raw = nullptr;  ///< the device's counts, once it is open
    std::vector<double> in;
    bool open = false;
  };
  Result<void> open(Call& call, rt::Clock& clock);
  [[nodiscard]] bool put_out(std::span<const double> y, MonoTime now) noexcept;
  void follow(std::span<const double> y, MonoTime now) noexcept;
  void follow_softly(std::span<const double> y, MonoTime now) noexcept;
  void relax(MonoTime now) noexcept;
  void begin_way(bool following, MonoTime now) noexcept;
  bool failed_at(const Call& call) noexcept;

  std::vector<Member> members_;
  std::vector<InputSignal> inputs_;
  std::vector<OutputSignal> outputs_;
  std::vector<Call> calls_;      // one a device
  std::vector<Wire> constants_;  // inputs no device supplies: the offset is their value
  std::vector<std::size_t> counted_;
  std::vector<std::uint32_t> counts_;
  rt::Clock* clock_ = nullptr;
  std::size_t groups_ = 1;
  rt::Counter failed_;
  rt::Counter clamped_;

  rt::Counter arm_{1};  // what is asked for
  rt::Counter arm_over_ns_;
  rt::Counter armed_{1};   // what is
  bool following_ = true;  // the model, else the safe actions
  MonoTime way_began_{};   // when that changed
  Duration way_over_{};    // of the ramp that arming asked for
  MonoTime written_{};     // the last write
  bool written_once_ = false;
  bool slewed_ = false;   // any output has a slew limit
  bool at_once_ = false;  // follows the model, is there, and has no slew limit
};

}  // namespace hild::io

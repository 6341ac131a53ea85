// SPDX-License-Identifier: Apache-2.0
/// \file
/// The live sampler: calls the devices, and converts between their converter values and the signals
/// of the model. Signal = scale * converter value + offset, in both directions.
///
/// The outputs (OutputLines) are either armed, and follow the model, or disarmed, and their safe
/// actions hold. safe() begins the safe actions of all lines; those that take time go on in later
/// calls of safe() or exchange(), until settled().
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "hild/io/device.hpp"
#include "hild/io/sampler.hpp"
#include "hild/rt/atomic.hpp"
#include "io/bus_faults.hpp"
#include "io/image_history.hpp"
#include "io/output_lines.hpp"
#include "io/stretch.hpp"

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

/// How an output's values were cut to the limits of its line; in signal units.
struct CutOutput {
  std::size_t signal = 0;   ///< its index in the outputs of the model
  std::int64_t values = 0;  ///< how many were cut so far
  double last = 0;          ///< the last value cut, as the model computed it
  Interval limits;          ///< what the line can carry
};

/// A device in a bus.
struct Member {
  Name name;
  std::unique_ptr<Device> device;
  LossRule loss{};         ///< of its inputs, where they have none of their own
  double loss_cycles = 0;  ///< its `max_latency` as cycles of each image; 0: it is a time
  Name driver{};           ///< what has made it, for messages
};

class Bus final : public Sampler {
 public:
  Bus(std::vector<Member> members, std::vector<InputSignal> inputs,
      std::vector<OutputSignal> outputs);
  ~Bus() override;

  /// To be called before opening. observe(): devices that can do so look at their outputs and do
  /// not write them, whoever drives them. detach(): the devices let go of everything outside this
  /// process.
  void observe();
  void detach();
  /// Opens the devices that a guard can take to safety, and no others. Error also where one starts
  /// a thread, which a copy of the process would not have. While the process has one thread.
  [[nodiscard]] Result<void> open_guardable(rt::Clock& clock);
  /// In a copy of this process: what it cannot drive counts as not open from here on.
  void keep_guardable() noexcept;
  /// Opens all devices that are not open yet; the first that cannot be opened is the error.
  [[nodiscard]] Result<void> open(rt::Clock& clock);
  /// Opens every device that can be opened and is not open yet; safe() then serves those. Returns
  /// an error for each of the others.
  [[nodiscard]] std::vector<Error> open_all(rt::Clock& clock);
  /// Simulated time is 0 at `zero`.
  void start(MonoTime zero);
  void stop();

  /// arm() lets the outputs follow the model from the next exchange that carries some, going there
  /// from where they are in the time `over`; disarm() takes them to their safe values and keeps
  /// them there. A bus is armed when it is made. From any thread.
  void arm(Duration over) noexcept { lines_.arm(over); }
  void disarm() noexcept override { lines_.disarm(); }
  /// Lets the run begin disarmed. To be called before the run.
  void start_disarmed() noexcept { lines_.start_disarmed(); }
  /// Whether outputs follow the model, those still on their way included. From any thread.
  [[nodiscard]] bool armed() const noexcept { return lines_.armed(); }
  /// Whether every line is where the last call was to bring it. Not while another thread exchanges.
  [[nodiscard]] bool settled() const noexcept { return lines_.settled(); }
  /// Whether any output is wired to a device.
  [[nodiscard]] bool drives() const noexcept { return lines_.drives(); }

  bool exchange(std::span<const double> y, std::span<double> u, MonoTime now,
                std::span<MonoTime> sampled) noexcept override;
  void await_image(std::size_t group, MonoTime from, MonoTime until) noexcept override;
  [[nodiscard]] Duration delivery(std::size_t group) const noexcept override;
  bool safe() noexcept override;
  /// Whether what the devices were given last has left them: those that send it in their own time
  /// are told to do so now.
  [[nodiscard]] bool flush() noexcept;
  /// How long the safe values are to go on being written.
  [[nodiscard]] Duration safe_for() const noexcept;
  bool lines(std::span<double> carried) const noexcept override;
  [[nodiscard]] std::size_t heard() const noexcept override { return heard_.size(); }
  [[nodiscard]] bool wrote() const noexcept override { return wrote_; }
  void written(std::span<double> values) const noexcept override;
  /// Which outputs other nodes hear of, in the order of written().
  [[nodiscard]] const std::vector<std::size_t>& heard_outputs() const noexcept { return heard_; }
  [[nodiscard]] std::size_t groups() const noexcept override { return groups_; }
  [[nodiscard]] std::size_t faults() const noexcept override { return faults_.all().size(); }
  [[nodiscard]] std::optional<Interval> fault_range(std::size_t fault) const noexcept override {
    if (fault >= faults()) return {};
    return faults_.all()[fault].allowed;
  }
  void set_fault(std::size_t fault, bool there, double value) noexcept override {
    faults_.set(fault, there, value);
  }
  /// What can be made wrong with the devices, by the name of the device and the fault.
  [[nodiscard]] std::span<const DeviceFault> device_faults() const noexcept {
    return faults_.all();
  }
  [[nodiscard]] std::span<const std::uint32_t> counts() const noexcept override { return counts_; }
  /// Which inputs have raw counts, in the order of counts().
  [[nodiscard]] const std::vector<std::size_t>& counted() const noexcept { return counted_; }

  [[nodiscard]] const std::vector<InputSignal>& inputs() const noexcept { return inputs_; }
  [[nodiscard]] const std::vector<OutputSignal>& outputs() const noexcept { return outputs_; }
  [[nodiscard]] const std::vector<Member>& members() const noexcept { return members_; }
  /// How each input is sampled, in the order of the inputs. The groups of a device follow those of
  /// the devices before it; an input that no device supplies is in the first group.
  [[nodiscard]] std::vector<SampledInput> sampled_inputs() const;

  /// Index of the device that failed first, -1 while all answer.
  [[nodiscard]] int failed() const noexcept { return static_cast<int>(failed_.get()); }
  /// Of each device with outputs that a guard cannot take to safety "device daq: why not".
  [[nodiscard]] std::vector<Error> unguardable() const;

  /// "device daq: ...", after a failure.
  [[nodiscard]] Error failure() const;
  /// How many output values were cut to their limits, or were not finite and replaced by the safe
  /// value.
  [[nodiscard]] std::int64_t clamped() const noexcept { return lines_.cut_values().get(); }
  [[nodiscard]] const rt::Counter* cut_values() const noexcept override {
    return &lines_.cut_values();
  }
  /// The outputs whose values were cut, in the order of the outputs. From any thread; allocates.
  [[nodiscard]] std::vector<CutOutput> cut_outputs() const;

 private:
  // An input that no device supplies.
  struct Constant {
    std::size_t signal;
    double value;
  };
  // A device and what a call of it carries.
  struct Call {
    Device* device = nullptr;
    OutputStage* outputs = nullptr;
    std::size_t first_group = 0;
    std::size_t groups = 0;
    std::vector<Stretch> inputs;         // from the device's slots to the signals
    std::vector<Stretch> counted;        // from the device's counts to ours
    const std::uint32_t* raw = nullptr;  // the device's counts, once it is open
    std::vector<double> in;              // converter values, by slot
    std::span<double> values;            // those
    std::vector<double> scale, offset;   // of each
    bool open = false;
    bool copies_counts = false;

    void wire(const InputSignal& s, std::size_t signal);
  };
  Result<void> open(std::size_t d, rt::Clock& clock);
  Result<void> open_without_thread(std::size_t d, rt::Clock& clock);
  template <class Open>
  std::vector<Error> open_each(rt::Clock& clock, Open one);
  void find_counts();
  [[nodiscard]] bool exchange_with(const Call& call, bool writes, std::span<double> u,
                                   MonoTime* sampled) noexcept;
  [[nodiscard, gnu::noinline]] bool exchange_with_others(bool writes, std::span<double> u,
                                                         MonoTime* sampled) noexcept;
  void hand_over(const Call& call, double* u) noexcept;
  bool failed_at(const Call& call) noexcept;
  [[nodiscard]] Device* supplier(std::size_t group) const noexcept;

  std::vector<Member> members_;
  std::vector<InputSignal> inputs_;
  std::vector<OutputSignal> outputs_;
  OutputLines lines_;
  std::vector<Call> calls_;  // one a device
  BusFaults faults_;
  std::vector<Constant> constants_;
  std::vector<std::size_t> counted_;
  std::vector<std::uint32_t> own_counts_;
  std::span<const std::uint32_t> counts_;  // own_counts_, or those of the one device that has any
  rt::Clock* clock_ = nullptr;
  std::size_t groups_ = 1;
  std::vector<std::size_t> heard_;  // outputs that other nodes hear of
  bool wrote_ = false;              // lines, in the last call
  rt::Counter failed_;
};

}  // namespace hild::io

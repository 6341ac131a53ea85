// SPDX-License-Identifier: Apache-2.0
/// \file
/// The live sampler: devices, and the map between their converter values and the signals of the
/// model. Signal = scale * converter value + offset, in both directions.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "hild/io/device.hpp"
#include "hild/io/sampler.hpp"
#include "hild/rt/atomic.hpp"

namespace hild::io {

/// An input signal: which channel it comes from.
struct InputSignal {
  Name name;
  Channel channel;
  double scale = 1;
  double offset = 0;
  double start = 0;  ///< in signal units; kept while no device supplies the signal
  double restart_above = std::numeric_limits<double>::infinity();  ///< a larger jump restarts
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
  int device = -1;  ///< -1: computed, not put out
  std::size_t slot = 0;
};

/// A device in a bus, with the oldest image it may hand over.
struct Member {
  Name name;
  std::unique_ptr<Device> device;
  Duration max_latency{0};  ///< 0: no limit
};

class Bus final : public Sampler {
 public:
  Bus(std::vector<Member> members, std::vector<InputSignal> inputs,
      std::vector<OutputSignal> outputs);
  ~Bus() override;

  /// Opens all devices; the first that cannot be opened is the error.
  [[nodiscard]] Result<void> open(rt::Clock& clock);
  /// Opens what can be opened; safe() then serves that. Returns an error for each of the others.
  [[nodiscard]] std::vector<Error> open_all(rt::Clock& clock);
  void start();
  void stop();

  bool exchange(std::span<const double> y, std::span<double> u,
                MonoTime& sampled) noexcept override;
  bool safe() noexcept override;
  [[nodiscard]] std::span<const std::uint32_t> counts() const noexcept override { return counts_; }
  /// Which inputs have raw counts, in the order of counts().
  [[nodiscard]] const std::vector<std::size_t>& counted() const noexcept { return counted_; }

  [[nodiscard]] const std::vector<InputSignal>& inputs() const noexcept { return inputs_; }
  [[nodiscard]] const std::vector<OutputSignal>& outputs() const noexcept { return outputs_; }
  [[nodiscard]] const std::vector<Member>& members() const noexcept { return members_; }

  /// Index of the device that failed first, -1 while all answer.
  [[nodiscard]] int failed() const noexcept { return static_cast<int>(failed_.get()); }
  /// "device daq: ...", after a failure.
  [[nodiscard]] Error failure() const;
  /// Output values cut to their limits, and those that were not finite and went safe.
  [[nodiscard]] std::int64_t clamped() const noexcept { return clamped_.get(); }

 private:
  // A wired signal: where its converter value lies in the device's buffer, and the conversion.
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
  // A device and what a call of it carries. Outputs also know what to put out instead.
  struct Call {
    Device* device = nullptr;
    Duration max_latency{0};
    std::vector<Wire> output_wires;
    std::vector<Wire> input_wires;
    std::vector<Count> input_counts;
    const std::uint32_t* raw = nullptr;  ///< the device's counts, once it is open
    std::vector<Interval> limits;
    std::vector<double> safe;
    std::vector<double> out;
    std::vector<double> in;
    bool open = false;
  };
  void convert_outputs(Call& call, std::span<const double> y) noexcept;
  bool failed_at(const Call& call, Duration stale) noexcept;

  std::vector<Member> members_;
  std::vector<InputSignal> inputs_;
  std::vector<OutputSignal> outputs_;
  std::vector<Call> calls_;      // one a device
  std::vector<Wire> constants_;  // inputs no device supplies: the offset is their value
  std::vector<std::size_t> counted_;
  std::vector<std::uint32_t> counts_;
  rt::Counter failed_;
  rt::Counter stale_;
  rt::Counter clamped_;
};

}  // namespace hild::io

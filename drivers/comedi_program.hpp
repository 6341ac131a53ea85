// SPDX-License-Identifier: Apache-2.0
/// \file
/// One device call as a list of Comedi instructions: output writes, then input reads. Built once;
/// each call fills in values, hands the list to the kernel (one system call) and takes values out.
#pragma once

#include <comedilib.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "drivers/comedi_counter.hpp"
#include "drivers/comedi_lines.hpp"
#include "hild/io/pair.hpp"

namespace hild::comedi {

class Program {
 public:
  Program() = default;
  Program(std::span<const Line> outputs, std::span<const Line> inputs);

  /// Sets the values for the next writes. A value that is not finite leaves its line as it was.
  /// Real-time safe.
  void put(std::span<const double> outputs) noexcept;
  /// Gets the values of the last reads. Real-time safe.
  void get(std::span<double> inputs) noexcept;
  /// The counts they came from, which stay where they are.
  [[nodiscard]] std::span<const std::uint32_t> counts() const noexcept { return read_; }
  /// Puts the samples of a scan in the place of what an instruction would have read, in the order
  /// of the lines that are `scanned`. Real-time safe.
  void put_scan(std::span<const lsampl_t> samples) noexcept;

  /// The instructions of the outputs, of the inputs, or of both; where there is a command, without
  /// the inputs that are `scanned`. Real-time safe.
  [[nodiscard]] comedi_insnlist list(bool outputs, bool inputs, bool commanded = false) noexcept;

 private:
  /// A line: its place among the signals, and its conversion.
  struct Analog {
    std::size_t signal;
    Conversion conversion;
  };
  struct Digital {
    std::size_t signal;
    std::size_t bits;  ///< the instruction it is part of
    unsigned bit;
  };
  struct Counter {
    std::size_t signal;
    Unfolded count;
  };
  /// Analog lines side by side, of one straight line.
  struct Run {
    std::size_t signal;
    std::size_t count;
    StraightLine line;
  };
  struct Lines {
    std::vector<Analog> analog;
    std::vector<Run> runs;  ///< those that are not among the analog ones
    std::vector<Digital> digital;
    std::vector<Counter> counters;
    bool only_runs = true;
  };
  /// What an instruction for digital lines carries.
  struct Bits {
    std::array<lsampl_t, 2> data;  ///< mask, then bits
    lsampl_t last;                 ///< output bits: the kernel overwrites its copy
    std::size_t insn;
  };
  static constexpr unsigned bits_at_once = 32;  ///< lines that one INSN_BITS reaches

  void place(std::span<const Line> lines, bool scanned, Lines& placed);
  static void find_runs(Lines& lines);
  [[nodiscard]] std::size_t place_digital(const Line& line, std::size_t first);
  void add(unsigned kind, unsigned subdevice, unsigned chanspec, unsigned samples, lsampl_t* data);
  static void put_run(const Run& run, const double* values, lsampl_t* to) noexcept;
  [[gnu::noinline]] void put_others(std::span<const double> outputs) noexcept;
  [[gnu::noinline]] void get_others(std::span<double> inputs) noexcept;

  Lines outputs_;
  Lines inputs_;
  std::vector<comedi_insn> insns_;    ///< those of the outputs first, those that are scanned last
  std::vector<lsampl_t> written_;     ///< by the instructions of analog outputs, by signal
  std::vector<lsampl_t> read_;        ///< by those of analog inputs and counters, by signal
  std::vector<Bits> bits_;            ///< of each INSN_BITS
  std::vector<std::size_t> scanned_;  ///< signals
  std::size_t all_insns_ = 0;
  std::size_t output_insns_ = 0;
  std::size_t asked_insns_ = 0;  ///< those of outputs and of inputs that are not scanned
};

// ---- what every call does ----

namespace detail {

static_assert(sizeof(lsampl_t) == sizeof(std::uint32_t));

using Counts [[gnu::vector_size(16)]] = lsampl_t;
using Words [[gnu::vector_size(16)]] = std::uint64_t;

// A sample and the next one as numbers: one of 32 bits is the end of a double that begins with
// 2^52.
inline io::Pair raw_of(const lsampl_t* samples, io::LoadPair /*two*/) noexcept {
  constexpr Counts begin{0x4330'0000U, 0x4330'0000U, 0x4330'0000U, 0x4330'0000U};
  std::uint64_t two = 0;
  std::memcpy(&two, samples, sizeof two);
  const Words low{two, 0};
  Counts counts;
  std::memcpy(&counts, &low, sizeof counts);
  const Counts words = __builtin_shufflevector(counts, begin, 0, 4, 1, 5);
  io::Pair numbers;
  std::memcpy(&numbers, &words, sizeof numbers);
  return numbers - 0x1p52;
}
inline double raw_of(const lsampl_t* sample, io::LoadOne /*one*/) noexcept { return *sample; }

// The ends of words: of two, the first two of these.
inline Counts counts_of(io::Pair words) noexcept {
  Counts counts;
  std::memcpy(&counts, &words, sizeof counts);
  return __builtin_shufflevector(counts, counts, 0, 2, 0, 2);
}
inline lsampl_t counts_of(double word) noexcept {
  return static_cast<lsampl_t>(std::bit_cast<std::uint64_t>(word));
}

// Whether all are finite: only then 0 times them is 0.
inline bool finite(double value) noexcept { return 0.0 * value == 0; }
inline bool finite(io::Pair values) noexcept {
  const io::Pair none = 0.0 * values;
  return none[0] + none[1] == 0;
}

}  // namespace detail

[[gnu::always_inline]] inline void Program::put_run(const Run& run, const double* values,
                                                    lsampl_t* to) noexcept {
  const StraightLine& line = run.line;
  const auto put_one = [&](std::size_t i) {
    if (detail::finite(values[i])) to[i] = detail::counts_of(line.to_counts(values[i]));
  };
  const std::size_t even = run.count & ~std::size_t{1};
  const bool odd = run.count != even;
  for (std::size_t i = 0; i != even; i += 2) {
    const io::Pair two = io::LoadPair{}(values + i);
    if (detail::finite(two)) [[likely]] {
      const detail::Counts counts = detail::counts_of(line.to_counts(two));
      std::memcpy(to + i, &counts, 2 * sizeof(lsampl_t));
    } else {
      put_one(i);
      put_one(i + 1);
    }
  }
  if (odd) put_one(even);
}

[[gnu::always_inline]] inline void Program::put(std::span<const double> outputs) noexcept {
  if (outputs.empty()) return;
  for (const Run& run : outputs_.runs) {
    put_run(run, outputs.data() + run.signal, written_.data() + run.signal);
  }
  if (!outputs_.only_runs) put_others(outputs);
}

[[gnu::always_inline]] inline void Program::get(std::span<double> inputs) noexcept {
  if (inputs.empty()) return;
  for (const Run& run : inputs_.runs) {
    const StraightLine line = run.line;  // of its own: what is written does not change it
    const lsampl_t* const from = read_.data() + run.signal;
    io::by_pairs(0, run.count, inputs.data() + run.signal, [&](std::size_t i, auto load) {
      return line.to_volts(detail::raw_of(from + i, load));
    });
  }
  if (!inputs_.only_runs) get_others(inputs);
}

}  // namespace hild::comedi

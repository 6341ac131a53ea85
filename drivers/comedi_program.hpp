// SPDX-License-Identifier: Apache-2.0
/// \file
/// One device call as a list of Comedi instructions: output writes, then input reads. Built once;
/// each call fills in values, hands the list to the kernel (one system call) and takes values out.
#pragma once

#include <comedilib.h>

#include <array>
#include <span>
#include <vector>

#include "drivers/comedi_counter.hpp"
#include "drivers/comedi_lines.hpp"

namespace hild::comedi {

class Program {
 public:
  Program() = default;
  Program(std::span<const Line> outputs, std::span<const Line> inputs);

  /// Sets the values for the next writes. A value that is not finite leaves its line as it was.
  /// Real-time safe.
  void put(std::span<const double> outputs) noexcept;
  /// Gets the values of the last reads, and the counts they came from. Real-time safe.
  void get(std::span<double> inputs, std::span<std::uint32_t> counts) noexcept;
  /// Puts the samples of a scan in the place of what an instruction would have read, in the order
  /// of the lines that are `scanned`. Real-time safe.
  void put_scan(std::span<const lsampl_t> samples) noexcept;

  /// The instructions of the outputs, of the inputs, or of both; where there is a command, without
  /// the inputs that are `scanned`. Real-time safe.
  [[nodiscard]] comedi_insnlist list(bool outputs, bool inputs, bool commanded = false) noexcept;

 private:
  /// A line: its place among the signals, its instruction, and its conversion.
  struct Analog {
    std::size_t signal;
    std::size_t insn;
    Conversion conversion;
  };
  struct Digital {
    std::size_t signal;
    std::size_t insn;
    unsigned bit;
  };
  struct Counter {
    std::size_t signal;
    std::size_t insn;
    Unfolded count;
  };
  /// Analog lines side by side, of one straight line.
  struct Run {
    std::size_t signal;
    std::size_t insn;
    std::size_t count;
    Conversion conversion;
  };
  struct Lines {
    std::vector<Analog> analog;
    std::vector<Run> runs;  ///< those that are not among the analog ones
    std::vector<Digital> digital;
    std::vector<Counter> counters;
  };
  using Data = std::array<lsampl_t, 2>;
  static constexpr unsigned bits_at_once = 32;  ///< lines that one INSN_BITS reaches

  void place(std::span<const Line> lines, bool scanned, Lines& placed);
  static void find_runs(Lines& lines);
  [[nodiscard]] std::size_t place_digital(const Line& line, std::size_t first);
  /// Adds an instruction; returns its place.
  std::size_t add(unsigned kind, unsigned subdevice, unsigned chanspec, unsigned samples,
                  const Data& data);

  Lines outputs_;
  Lines inputs_;
  std::vector<comedi_insn> insns_;  ///< those of the outputs first, those that are scanned last
  std::vector<Data> data_;          ///< of each instruction; INSN_BITS: mask, then bits
  std::vector<lsampl_t> bits_;      ///< last output bits: the kernel overwrites its copy
  std::size_t output_insns_ = 0;
  std::size_t asked_insns_ = 0;  ///< those of outputs and of inputs that are not scanned
};

}  // namespace hild::comedi

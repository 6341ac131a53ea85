// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run made by hand: two passes, two inputs, the second with raw counts, two outputs, one state,
/// frames of 1 ms; its values follow from the step. And a log of it in memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "recording/framelog/frame_log.hpp"
#include "recording/framelog/reader.hpp"
#include "recording/mcap/files.hpp"

namespace hild::framelog {

inline const io::FrameLayout layout_of_run{2, 2, 2, 1, 1, 2, 1};
inline const Signals signals_of_run{{{"voltage", "V"}, {"load", "N m"}},
                                    {{"speed", "rad/s"}, {"2nd/odd", ""}},
                                    {{"speed", "rad/s"}},
                                    {{"load", ""}}};

inline double input_of(std::int64_t step, std::size_t i) {
  return static_cast<double>(step) + 0.1 * static_cast<double>(i);
}
inline double output_of(std::int64_t step, std::size_t i) {
  return -static_cast<double>(step) / 3 - static_cast<double>(i);
}
inline double state_of(std::int64_t step) { return 1e6 + static_cast<double>(step); }

inline std::uint32_t count_of(std::int64_t step) {
  return 4'000'000'000U + static_cast<std::uint32_t>(step);  // more than a signed number holds
}

inline io::FrameHeader header_of(std::int64_t step) {
  io::FrameHeader h;
  h.step = step;
  h.frame = step;
  h.t = SimTime{} + 1_ms * step;
  h.due = MonoTime{} + 5_s + 1_ms * step;
  h.start = h.due + 3_us;
  h.end = h.due + 600_us;
  h.deadline = h.due + 1_ms;
  h.lateness = h.end - h.deadline;
  h.passes = 2;
  for (std::size_t p = 0; p < io::phase_count; ++p) {
    h.phases[p] = Duration{1000 * static_cast<std::int64_t>(p + 1)};
  }
  return h;
}

inline io::FrameHeader late(io::FrameHeader h, Duration by, io::Cause cause) {
  h.end = h.deadline + by;
  h.lateness = by;
  h.cause = cause;
  return h;
}

/// A record in memory aligned like a ring's.
class Record {
 public:
  /// What is not written holds the filling.
  explicit Record(const io::FrameHeader& h, std::uint64_t filling = 0xABABABABU)
      : memory_(layout_of_run.bytes() / 8 + 1, filling) {
    io::FrameSlot slot(layout_of_run, place());
    slot.begin();
    slot.header() = h;
    slot.image(std::array{h.start}, true, std::array{input_of(h.step, 0), input_of(h.step, 1)},
               std::array{count_of(h.step)});
    for (std::size_t p = 0; p < static_cast<std::size_t>(h.passes); ++p) {
      const std::array u{input_of(h.step, 0) + static_cast<double>(p), input_of(h.step, 1)};
      slot.pass(p, h.start + Duration{10} * static_cast<std::int64_t>(p), Duration{77}, u);
    }
    slot.outputs(std::array{output_of(h.step, 0), output_of(h.step, 1)});
    slot.states(std::array{state_of(h.step)}, std::array<io::Interval, 1>{});
  }
  [[nodiscard]] io::FrameView view() { return {layout_of_run, place()}; }

 private:
  std::byte* place() { return reinterpret_cast<std::byte*>(memory_.data()); }
  std::vector<std::uint64_t> memory_;
};

inline config::Record everything() {
  config::Record settings;
  settings.file = "run.mcap";
  settings.inputs.assign(2, true);
  settings.outputs.assign(2, true);
  settings.states.assign(1, true);
  return settings;
}

inline Description description_of_run() {
  Description d;
  d.program = "hild test";
  d.run = {{"model", "made"}, {"period_ns", "1000000"}};
  d.build = {{"version", "test"}};
  d.machine = {{"cpu", "of the test"}};
  d.models = {{"load.fmu", "3 bytes, CRC-32 352441c2"}};
  d.clock = {MonoTime{} + 5_s, 1'700'000'000'000'000'000};
  d.signals = signals_of_run;
  d.config = "frame: {period: 1 ms}\n";
  d.sources = {{"rig.yaml", "frame: {period: 1 ms}  # as written\n"}};
  d.attachments = {{1, 2, "calibration/daq", "text/plain", "gain 1.0001"}};
  return d;
}

/// Output of a log, kept for after it.
struct Disk {
  std::shared_ptr<mcap::MemoryOutput> memory = std::make_shared<mcap::MemoryOutput>();
};
class SharedOutput final : public mcap::Output {
 public:
  explicit SharedOutput(std::shared_ptr<mcap::Output> to) : to_(std::move(to)) {}
  Result<void> append(std::span<const std::string_view> parts) override {
    return to_->append(parts);
  }
  Result<void> sync() override { return to_->sync(); }

 private:
  std::shared_ptr<mcap::Output> to_;
};

/// A log being made; nothing is lost to speed, and every frame is a block of its own.
struct Recording {
  explicit Recording(const config::Record& settings = everything(), LogOptions options = one_each(),
                     const Description& description = description_of_run()) {
    log = *FrameLog::create(std::make_unique<SharedOutput>(memory), description, layout_of_run,
                            settings, std::move(options));
  }
  static LogOptions one_each() {
    LogOptions options;
    options.wait = true;
    options.block_bytes = 1;
    return options;
  }
  void give(const io::FrameHeader& h) const { log->frame(Record(h).view()); }
  /// Ordinary steps from first to last.
  void give(std::int64_t first, std::int64_t last) const {
    for (std::int64_t step = first; step <= last; ++step) give(header_of(step));
  }
  const std::string& close() const {
    log->flush();
    return memory->bytes;
  }
  std::shared_ptr<mcap::MemoryOutput> memory = std::make_shared<mcap::MemoryOutput>();
  std::unique_ptr<FrameLog> log;
};

struct GotRow {
  std::int64_t tick;
  double t;
  std::vector<double> values;
  bool operator==(const GotRow&) const = default;
};

/// Remembers what a log holds.
class Contents final : public LogVisitor {
 public:
  void begin(const LogHead& h) override { head = h; }
  void frame(const io::FrameView& record) override {
    frames.push_back(record.header());
    outputs.emplace_back(record.outputs().begin(), record.outputs().end());
    const auto last = record.inputs(1);
    last_inputs.emplace_back(last.begin(), last.end());
  }
  void row(LogPart part, const Row& row) override {
    rows[static_cast<std::size_t>(part)].push_back(
        {row.tick, row.t, {row.values.begin(), row.values.end()}});
  }
  void gap(const Gap& gap) override { gaps.push_back(gap); }
  [[nodiscard]] const std::vector<GotRow>& of(LogPart part) const {
    return rows[static_cast<std::size_t>(part)];
  }
  [[nodiscard]] std::vector<std::int64_t> steps() const {
    std::vector<std::int64_t> all;
    for (const auto& h : frames) all.push_back(h.step);
    return all;
  }

  LogHead head;
  std::vector<io::FrameHeader> frames;
  std::vector<std::vector<double>> outputs, last_inputs;
  std::array<std::vector<GotRow>, part_count> rows;
  std::vector<Gap> gaps;
};

inline Result<LogScan> read(const std::string& file, LogVisitor& visitor,
                            ReadOptions options = {}) {
  mcap::MemorySource source(file);
  return read_log(source, visitor, options);
}

/// Counts what is asked of a file.
class CountingSource final : public mcap::ByteSource {
 public:
  explicit CountingSource(const std::string& bytes) : memory_(bytes) {}
  [[nodiscard]] std::uint64_t size() const override { return memory_.size(); }
  Result<void> read(std::uint64_t offset, std::span<std::byte> bytes) override {
    read_bytes += bytes.size();
    return memory_.read(offset, bytes);
  }
  std::size_t read_bytes = 0;

 private:
  mcap::MemorySource memory_;
};

}  // namespace hild::framelog

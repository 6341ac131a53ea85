// SPDX-License-Identifier: Apache-2.0
/// A log of a million frames exported as CSV, against a loop over the same numbers in memory that
/// formats them the same way; and what recording a frame of many signals takes. `bench_log time
/// FOLDER` tells times in nanoseconds, as "name value" lines, and keeps its log there while it
/// runs; the other jobs do one thing to so many frames, for valgrind to count.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "core/text_file.hpp"
#include "recording/convert/export.hpp"
#include "recording/framelog/frame_log.hpp"

namespace {

using namespace hild;

constexpr std::int64_t million = 1'000'000;
constexpr int rounds = 5;

struct Shape {
  std::size_t inputs, outputs, states;
};

template <class Work>
double seconds_of(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> v) {
  std::ranges::sort(v);
  return v[v.size() / 2];
}

double value_of(std::int64_t step, std::size_t i) {
  return std::sin(1e-3 * static_cast<double>(step) + static_cast<double>(i));
}

std::vector<framelog::SignalName> names(std::size_t n) {
  std::vector<framelog::SignalName> all;
  for (std::size_t i = 0; i < n; ++i) all.push_back({fmt::format("s{}", i), "V"});
  return all;
}

framelog::Description describe(const Shape& s) {
  framelog::Description d;
  d.signals = {names(s.inputs), names(s.outputs), names(s.states)};
  return d;
}

config::Record everything(const Shape& s) {
  config::Record r;
  r.inputs.assign(s.inputs, true);
  r.outputs.assign(s.outputs, true);
  r.states.assign(s.states, true);
  return r;
}

/// A record of two passes whose values move.
class Frame {
 public:
  explicit Frame(const Shape& s)
      : layout_(2, s.inputs, s.outputs, s.states),
        memory_(layout_.bytes() / 8),
        values_(64),
        any_(s.states) {}
  [[nodiscard]] const io::FrameLayout& layout() const { return layout_; }
  io::FrameView at(std::int64_t step) {
    auto* const place = reinterpret_cast<std::byte*>(memory_.data());
    io::FrameSlot slot(layout_, place);
    slot.begin();
    io::FrameHeader& h = slot.header();
    h.step = h.frame = step;
    h.t.ns = step * 1'000'000;
    h.due.ns = h.t.ns;
    h.start = h.end = h.due + 1_us;
    h.deadline = h.due + 1_ms;
    h.lateness = h.end - h.deadline;
    h.passes = 2;
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = value_of(step, i);
    for (std::size_t p = 0; p < 2; ++p) {
      slot.pass(p, h.start, 100_ns, std::span(values_).first(layout_.inputs()));
    }
    slot.outputs(std::span(values_).first(layout_.outputs()));
    slot.states(std::span(values_).first(layout_.states()), any_);
    return {layout_, place};
  }

 private:
  io::FrameLayout layout_;
  std::vector<std::uint64_t> memory_;
  std::vector<double> values_;
  std::vector<io::Interval> any_;
};

void write_log(const std::string& file, const Shape& s, std::int64_t frames) {
  auto output = mcap::FileOutput::create(file, mcap::FileOutput::Existing::replace);
  if (!output) std::abort();
  Frame frame(s);
  framelog::LogOptions options;
  options.wait = true;
  auto log = framelog::FrameLog::create(std::make_unique<mcap::FileOutput>(std::move(*output)),
                                        describe(s), frame.layout(), everything(s), options);
  if (!log) std::abort();
  for (std::int64_t step = 0; step < frames; ++step) (*log)->frame(frame.at(step));
  (*log)->flush();
  if (!(*log)->status().error.empty()) std::abort();
}

void export_log(const std::string& file, std::int64_t frames) {
  auto source = mcap::FileSource::open(file);
  const auto done = source ? convert::export_csv(*source, "/dev/null", {})
                           : Result<convert::Exported>(fail("no log"));
  if (!done || done->rows != frames + 1) std::abort();
}

/// The same numbers from memory: a row is a time and as many numbers.
void format_numbers(const std::vector<double>& numbers, std::size_t row) {
  auto out = TextFile::create("/dev/null");
  if (!out) std::abort();
  for (std::size_t at = 0; at < numbers.size(); at += row) {
    for (std::size_t i = 0; i < row; ++i) {
      if (i > 0) out->add(",");
      out->add(numbers[at + i]);
    }
    out->add("\n");
  }
  if (!out->close()) std::abort();
}

std::size_t row_of(const Shape& s) { return 1 + s.inputs + s.outputs + s.states; }

std::vector<double> numbers_of(const Shape& s, std::int64_t frames) {
  std::vector<double> numbers;
  numbers.reserve(row_of(s) * static_cast<std::size_t>(frames));
  for (std::int64_t step = 0; step < frames; ++step) {
    numbers.push_back(static_cast<double>(step) / 1000);
    for (const std::size_t n : {s.inputs, s.states, s.outputs}) {
      for (std::size_t i = 0; i < n; ++i) numbers.push_back(value_of(step, i));
    }
  }
  return numbers;
}

void time_export(const std::string& folder, const Shape& s) {
  const std::string file = folder + "/million.mcap";
  write_log(file, s, million);
  const std::vector<double> numbers = numbers_of(s, million);
  std::vector<double> mine;
  std::vector<double> bare;
  export_log(file, million);  // into the page cache
  for (int i = 0; i < rounds; ++i) {
    mine.push_back(seconds_of([&] { export_log(file, million); }));
    bare.push_back(seconds_of([&] { format_numbers(numbers, row_of(s)); }));
  }
  std::printf("export %.1f\nbare %.1f\n", 1e9 * median(mine) / million,
              1e9 * median(bare) / million);
  std::filesystem::remove(file);
}

/// Encoding alone, into blocks that are emptied as the disk would.
class Encoding {
 public:
  explicit Encoding(const Shape& s)
      : frame_(s), encoder_(describe(s), frame_.layout(), everything(s)), record_(frame_.at(1)) {}
  void frames(std::int64_t n) {
    for (std::int64_t k = 0; k < n; ++k) {
      encoder_.step(record_, {}, block_);
      if (block_.bytes() > 512U << 10U) block_.clear();
    }
  }

 private:
  Frame frame_;
  framelog::Encoder encoder_;
  framelog::Block block_;
  io::FrameView record_;
};

void time_encoding(const Shape& s) {
  Encoding encoding(s);
  constexpr int n = 200'000;
  std::vector<double> all;
  for (int i = 0; i < rounds; ++i) all.push_back(seconds_of([&] { encoding.frames(n); }));
  std::printf("encode %.1f\n", 1e9 * median(all) / n);
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> given(arguments + 1, arguments + count);
  constexpr Shape motor{2, 3, 2};
  constexpr Shape wide{32, 32, 20};
  if (given.size() == 2 && given[0] == "time") {
    time_export(given[1], motor);
    time_encoding(wide);
    return 0;
  }
  if (given.size() != 3) {
    return std::fprintf(stderr, "usage: bench_log time FOLDER | JOB FILE FRAMES\n"), 1;
  }
  const std::int64_t frames = std::stoll(given[2]);
  if (given[0] == "write") write_log(given[1], motor, frames);
  if (given[0] == "export") export_log(given[1], frames);
  if (given[0] == "numbers" && numbers_of(motor, frames).empty()) return 1;
  if (given[0] == "format") format_numbers(numbers_of(motor, frames), row_of(motor));
  if (given[0] == "encode") Encoding(wide).frames(frames);
  return 0;
}

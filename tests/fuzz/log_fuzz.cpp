// SPDX-License-Identifier: Apache-2.0
/// \file
/// Any bytes at all, as a log or as a part of one, are read or refused with words; what is whole of
/// them can be written again, and is then whole. The first byte chooses: a file, the signals of a
/// log with the message of a step behind it, a gap.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "recording/framelog/rows.hpp"
#include "recording/framelog/step_shape.hpp"
#include "recording/framelog/summary.hpp"
#include "recording/mcap/recover.hpp"
#include "support/memory_source.hpp"

namespace {

using namespace hild;

class Memory final : public mcap::Output {
 public:
  Result<void> append(std::span<const std::string_view> parts) override {
    for (const auto part : parts) bytes += part;
    return {};
  }
  Result<void> sync() override { return {}; }
  std::string bytes;
};

/// Wants everything, and looks at it.
class Reader final : public framelog::LogVisitor {
 public:
  void frame(const io::FrameView& record) override {
    for (const double y : record.outputs()) sum += y;
    for (const double x : record.states()) sum += x;
  }
  void row(framelog::LogPart /*part*/, const framelog::Row& row) override {
    for (const double v : row.values) sum += v;
  }
  double sum = 0;
};

void as_file(std::string_view text) {
  mcap::MemorySource source(text);
  Reader reader;
  const auto scan = framelog::read_log(source, reader, {.from = 0.001, .verify = true});
  if (!scan && scan.error().message.empty()) std::abort();
  const auto summary = framelog::summarise(source);
  if (!summary && summary.error().message.empty()) std::abort();
  Memory whole;
  if (!mcap::recover(source, whole)) return;
  mcap::MemorySource again(whole.bytes);
  mcap::Visitor nobody;
  const auto healed = mcap::scan(again, nobody, {.verify = true});
  if (!healed || !healed->complete || healed->damage_count != 0) std::abort();
}

/// The text up to a zero byte, and what follows it.
std::pair<std::string_view, std::string_view> split(std::string_view text) {
  const auto zero = text.find('\0');
  if (zero == text.npos) return {text, {}};
  return {text.substr(0, zero), text.substr(zero + 1)};
}

void as_step(std::string_view text) {
  const auto [signals, message] = split(text);
  const auto shape = framelog::shape_from_json(signals);
  if (!shape && shape.error().message.empty()) std::abort();
  if (!shape) return;
  framelog::StepDecoder decoder(*shape, {});
  const auto step = decoder.decode(mcap::bytes_of(message), 5'000'000'000);
  if (!step) return;
  framelog::Rows(*shape, {})
      .each(
          *step, [](framelog::LogPart) { return true; },
          [](framelog::LogPart, const framelog::Row& row) {
            double sum = 0;
            for (const double v : row.values) sum += v;
            if (row.values.empty() || sum == 0.1234567) std::abort();
          });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0]) {
    case 's':
      as_step(text);
      break;
    case 'g':
      (void)framelog::read_gap(mcap::bytes_of(text));
      break;
    default:
      as_file(text);
  }
  return 0;
}

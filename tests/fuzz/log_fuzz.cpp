// SPDX-License-Identifier: Apache-2.0
/// \file
/// Any bytes at all, as a log or as a part of one, are read or refused with words; what is whole of
/// them can be written again, and is then whole. The first byte chooses: a file, a table of frames
/// with records behind it, a descriptor with messages behind it.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "framelog/frame_table.hpp"
#include "framelog/proto.hpp"
#include "framelog/summary.hpp"
#include "mcap/recover.hpp"

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
  void row(framelog::Topic /*topic*/, const framelog::Row& row) override {
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

void as_table(std::string_view text) {
  const auto [table, records] = split(text);
  auto decoder = framelog::FrameDecoder::make(table);
  if (!decoder && decoder.error().message.empty()) std::abort();
  if (decoder) (void)decoder->decode(mcap::bytes_of(records));
}

void as_descriptor(std::string_view text) {
  const std::size_t half = text.size() / 2;
  const auto message =
      framelog::proto::read_description(mcap::bytes_of(text.substr(0, half)), "p.M");
  if (!message) return;
  std::vector<double> values(message->fields.size());
  (void)framelog::proto::Decoder(*message).decode(mcap::bytes_of(text.substr(half)), values);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0]) {
    case 't':
      as_table(text);
      break;
    case 'd':
      as_descriptor(text);
      break;
    default:
      as_file(text);
  }
  return 0;
}

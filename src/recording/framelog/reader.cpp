// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_map>

namespace hild::framelog {
namespace {

int whole_number(std::string_view text) {
  int n = 0;
  std::from_chars(text.data(), text.data() + text.size(), n);
  return n;
}

class Reader final : public mcap::Visitor {
 public:
  Reader(LogVisitor& visitor, ReadOptions options, std::uint64_t bytes)
      : visitor_(visitor), options_(options), bytes_(bytes) {}

  void header(const mcap::Header& header) override { head_.description.program = header.library; }
  void channel(const mcap::Channel& channel) override;
  void message(const mcap::Message& message) override;
  void attachment(const mcap::Attachment& attachment) override {
    if (!begun_) take(attachment, head_.description);
  }
  void metadata(const mcap::Metadata& metadata) override;
  bool wants(const mcap::ChunkHead& head, std::span<const std::uint16_t> channels) override;
  bool go_on(std::uint64_t offset) override;

  Result<void> finish();
  mcap::Map totals;
  std::uint64_t bad_messages = 0;

 private:
  void begin();
  void check_format();
  void take_step(const mcap::Message& message);
  void take_change(const mcap::Message& message);
  void take_keyframe(const mcap::Message& message);
  [[nodiscard]] bool wanted(LogPart part) const noexcept {
    return wanted_[static_cast<std::size_t>(part)];
  }
  [[nodiscard]] bool within(double t) const noexcept {
    return t >= options_.from && t <= options_.to;
  }
  void refuse(std::string message) {
    if (good_) good_ = fail("{}", message);
  }

  LogVisitor& visitor_;
  ReadOptions options_;
  std::uint64_t bytes_;
  LogHead head_;
  Result<void> good_;
  bool begun_ = false;
  std::unordered_map<std::uint16_t, Topic> topics_;  ///< by channel
  std::array<bool, part_count> wanted_{};
  std::array<bool, topic_count> wanted_topics_{};
  std::optional<std::string> signals_;  ///< of the channel of steps
  std::optional<StepDecoder> steps_;
  std::optional<Rows> rows_;
  bool past_ = false;                                           ///< the end of the range
  double offset_ns_ = std::numeric_limits<double>::infinity();  ///< least log time - t
};

void Reader::channel(const mcap::Channel& channel) {
  const auto* const topic = std::ranges::find(topic_names, channel.topic);
  if (topic == topic_names.end() || topics_.contains(channel.id)) return;
  const auto which = static_cast<Topic>(topic - topic_names.begin());
  topics_.emplace(channel.id, which);
  // It may come before the format is known.
  if (which == Topic::step && !signals_) signals_ = value_of(channel.metadata, step_signals);
}

void Reader::metadata(const mcap::Metadata& metadata) {
  if (metadata.name == meta_totals) totals = metadata.values;
  if (metadata.name == meta_format) {
    head_.format = whole_number(value_of(metadata.values, "format"));
    head_.semantics = whole_number(value_of(metadata.values, "semantics"));
    check_format();
  }
  if (!begun_) take(metadata, head_.description);
}

void Reader::check_format() {
  if (head_.format > format_version) {
    refuse(
        fmt::format("a log of format {}, recorded by {}; this program reads format {}: take a "
                    "newer one",
                    head_.format, head_.description.program, format_version));
  } else if (head_.format >= 1 && head_.format < format_version) {
    refuse(
        fmt::format("a log of format {}, recorded by {}; this program reads format {}: read it "
                    "with that version",
                    head_.format, head_.description.program, format_version));
  }
}

void Reader::begin() {
  if (std::exchange(begun_, true)) return;
  if (head_.format < 1) refuse("an MCAP file, but not a frame log of hild");
  if (!good_) return;
  std::optional<StepShape> shape;
  if (signals_) {
    auto read = shape_from_json(*signals_);
    if (!read) return refuse(read.error().message);
    shape = std::move(*read);
    rows_.emplace(*shape, head_.description.clock);
    head_.frame_signals = {shape->inputs.signals, shape->outputs.signals, shape->states.signals,
                           shape->counts.signals};
    head_.frame_layout = shape->layout();
    for (std::size_t p = 0; p < part_count; ++p) {
      head_.columns[p] = rows_->columns(static_cast<LogPart>(p));
    }
  }
  visitor_.begin(head_);
  for (std::size_t p = 0; p < part_count; ++p) {
    const auto part = static_cast<LogPart>(p);
    wanted_[p] = visitor_.wants(part);
    if (wanted_[p]) wanted_topics_[static_cast<std::size_t>(topic_of(part))] = true;
  }
  if (!shape) return;
  steps_.emplace(*shape, head_.description.clock,
                 StepParts{.whole = wanted(LogPart::frame),
                           .inputs = wanted(LogPart::inputs),
                           .counts = wanted(LogPart::counts),
                           .timing = wanted(LogPart::timing),
                           .results = wanted(LogPart::outputs) || wanted(LogPart::states)});
}

bool Reader::wants(const mcap::ChunkHead& head, std::span<const std::uint16_t> channels) {
  begin();
  if (!good_) return false;
  // Slips only add to the distance of the two times, so that this is the latest t of the chunk;
  // what is of the end of its last step is a doubled step later.
  const double longest = 2.0 * static_cast<double>(head_.description.clock.grid.period().ns + 1);
  const double latest = static_cast<double>(head.end) - offset_ns_ + longest;
  if (std::isfinite(latest) && latest < options_.from * 1e9) return false;
  return channels.empty() || std::ranges::any_of(channels, [this](std::uint16_t id) {
           const auto topic = topics_.find(id);
           return topic != topics_.end() && wanted_topics_[static_cast<std::size_t>(topic->second)];
         });
}

bool Reader::go_on(std::uint64_t offset) {
  if (!good_ || past_) return false;
  return visitor_.go_on(bytes_ > 0 ? static_cast<double>(offset) / static_cast<double>(bytes_) : 1);
}

void Reader::message(const mcap::Message& message) {
  const auto topic = topics_.find(message.channel);
  if (topic == topics_.end()) return;
  begin();
  if (!good_ || !wanted_topics_[static_cast<std::size_t>(topic->second)]) return;
  if (topic->second == Topic::step) {
    take_step(message);
  } else if (topic->second == Topic::change) {
    take_change(message);
  } else if (topic->second == Topic::keyframe) {
    take_keyframe(message);
  } else if (const auto gap = read_gap(message.data)) {
    visitor_.gap(*gap);
  } else {
    ++bad_messages;
  }
}

void Reader::take_step(const mcap::Message& message) {
  const auto step = steps_ ? steps_->decode(message.data, message.log_time) : std::nullopt;
  if (!step) {
    ++bad_messages;
    return;
  }
  const SimTime begun = step->record.header().t;
  offset_ns_ = std::min(
      offset_ns_, static_cast<double>(message.log_time) - static_cast<double>(begun.ns) - 1e3);
  const double t = static_cast<double>(begun.ns) / 1e9;
  if (t > options_.to) past_ = true;
  if (step->whole && wanted(LogPart::frame) && within(t)) visitor_.frame(step->record);
  rows_->each(
      *step, [this](LogPart part) { return wanted(part); },
      [this](LogPart part, const Row& row) {
        if (within(row.t)) visitor_.row(part, row);
      });
}

void Reader::take_change(const mcap::Message& message) {
  auto effect =
      read_effect({reinterpret_cast<const char*>(message.data.data()), message.data.size()});
  if (!effect) {
    ++bad_messages;
  } else if (within(seconds(effect->time))) {
    effect->number = message.sequence;
    visitor_.change(*effect);
  }
}

void Reader::take_keyframe(const mcap::Message& message) {
  auto keyframe = read_keyframe(message.data, message.log_time, head_.description.clock);
  if (!keyframe) {
    ++bad_messages;
  } else if (within(seconds(keyframe->head.time))) {
    visitor_.keyframe(*keyframe);
  }
}

Result<void> Reader::finish() {
  begin();
  return good_;
}

}  // namespace

Result<LogScan> read_log(mcap::ByteSource& source, LogVisitor& visitor, ReadOptions options) {
  Reader reader(visitor, options, source.size());
  auto scanned = mcap::scan(
      source, reader,
      {.verify = options.verify, .only = options.chunks, .summary = options.chunks == nullptr});
  if (!scanned) return tl::make_unexpected(scanned.error());
  if (auto good = reader.finish(); !good) return tl::make_unexpected(good.error());
  return LogScan{std::move(*scanned), std::move(reader.totals), reader.bad_messages};
}

}  // namespace hild::framelog

// SPDX-License-Identifier: Apache-2.0
#include "framelog/reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "framelog/frame_table.hpp"

namespace hild::framelog {
namespace {

/// A stream of messages, as its schema says.
struct Stream {
  Stream(Topic of, const proto::Message& message)
      : topic(of), decoder(message), values(message.fields.size()) {}

  Topic topic;
  proto::Decoder decoder;
  std::vector<double> values;          ///< of all fields
  std::optional<std::size_t> tick, t;  ///< which of them
  std::vector<std::size_t> columns;    ///< the others
  std::vector<double> row;
};

/// Counts that come as doubles: from 0, and none is this large.
std::int64_t count_of(double n) {
  constexpr double most = 1e12;
  return n > 0 ? static_cast<std::int64_t>(std::min(n, most)) : 0;
}

std::optional<Topic> topic_named(std::string_view name) {
  const auto* found = std::ranges::find(topic_names, name);
  if (found == topic_names.end()) return std::nullopt;
  return static_cast<Topic>(found - topic_names.begin());
}

class Reader final : public mcap::Visitor {
 public:
  Reader(LogVisitor& visitor, ReadOptions options, std::uint64_t bytes)
      : visitor_(visitor), options_(options), bytes_(bytes) {}

  void schema(const mcap::Schema& schema) override { schemas_.try_emplace(schema.id, schema); }
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
  void add_frames(const mcap::Schema& schema);
  void add_stream(Topic topic, const mcap::Channel& channel, const mcap::Schema& schema);
  void take_frame(const mcap::Message& message);
  void take_row(Stream& stream, const mcap::Message& message);
  void take_gap(const Stream& stream);
  void take_change(const mcap::Message& message);
  /// Whether an instant is asked for; notes when a stream is past what is.
  bool within(Topic topic, double t, std::uint64_t log_time);
  void refuse(std::string message) {
    if (good_) good_ = fail("{}", message);
  }

  LogVisitor& visitor_;
  ReadOptions options_;
  std::uint64_t bytes_;
  LogHead head_;
  Result<void> good_;
  bool begun_ = false;
  std::map<std::uint16_t, mcap::Schema> schemas_;
  std::map<std::uint16_t, Topic> topics_;  ///< of channels that are wanted
  std::vector<std::int8_t> stream_of_;     ///< by channel: its topic, -1: none
  std::array<std::optional<Stream>, topic_count> streams_;
  std::optional<FrameDecoder> frames_;
  std::array<bool, topic_count> past_{};
  double offset_ns_ = std::numeric_limits<double>::infinity();  ///< least log time - t
};

void Reader::channel(const mcap::Channel& channel) {
  const auto topic = topic_named(channel.topic);
  const auto schema = schemas_.find(channel.schema);
  if (!topic || schema == schemas_.end() || topics_.contains(channel.id)) return;
  const auto index = static_cast<std::size_t>(*topic);
  if (*topic == Topic::frame ? frames_.has_value() : streams_[index].has_value()) return;
  if (*topic == Topic::frame) {
    add_frames(schema->second);
  } else if (*topic != Topic::change) {
    add_stream(*topic, channel, schema->second);
  }
  if (!visitor_.wants(*topic)) return;
  topics_.emplace(channel.id, *topic);
  if (channel.id >= stream_of_.size()) stream_of_.resize(std::size_t{channel.id} + 1, -1);
  stream_of_[channel.id] = static_cast<std::int8_t>(index);
}

void Reader::add_frames(const mcap::Schema& schema) {
  auto made = FrameDecoder::make(schema.data);
  if (!made) return refuse(made.error().message);
  frames_ = std::move(*made);
  head_.frame_signals = frames_->signals();
  head_.frame_layout = frames_->layout();
}

void Reader::add_stream(Topic topic, const mcap::Channel& channel, const mcap::Schema& schema) {
  auto message = proto::read_description(mcap::bytes_of(schema.data), schema.name);
  if (!message) {
    return refuse(fmt::format("the schema of {} is not one of Protocol Buffers", channel.topic));
  }
  add_signal_names(channel.metadata, *message);
  Stream stream(topic, *message);
  for (std::size_t i = 0; i < message->fields.size(); ++i) {
    const std::string& name = message->fields[i].name;
    if (name == (topic == Topic::timing ? "frame" : "tick") && !stream.tick) {
      stream.tick = i;
    } else if (name == "t" && !stream.t) {
      stream.t = i;
    } else {
      stream.columns.push_back(i);
      head_.columns[static_cast<std::size_t>(topic)].push_back(message->fields[i].signal);
    }
  }
  stream.row.resize(stream.columns.size());
  streams_[static_cast<std::size_t>(topic)] = std::move(stream);
}

void Reader::metadata(const mcap::Metadata& metadata) {
  if (metadata.name == meta_totals) totals = metadata.values;
  if (metadata.name == meta_format) {
    const std::string_view text = value_of(metadata.values, "format");
    std::from_chars(text.data(), text.data() + text.size(), head_.format);
    if (head_.format > format_version) {
      refuse(fmt::format("a log of format {}; this program reads up to format {}: take a newer one",
                         head_.format, format_version));
    }
  }
  if (!begun_) take(metadata, head_.description);
}

void Reader::begin() {
  if (std::exchange(begun_, true)) return;
  if (head_.format < 1) refuse("an MCAP file, but not a frame log of hild");
  if (!good_) return;
  visitor_.begin(head_);
  // Now that it knows what there is, it may want less.
  std::erase_if(topics_, [this](const auto& entry) {
    if (visitor_.wants(entry.second)) return false;
    stream_of_[entry.first] = -1;
    return true;
  });
}

bool Reader::wants(const mcap::ChunkHead& head, std::span<const std::uint16_t> channels) {
  begin();
  if (!good_) return false;
  // Slips only add to the distance of the two times, so that this is the latest t of the chunk.
  const double latest = static_cast<double>(head.end) - offset_ns_;
  if (std::isfinite(latest) && latest < options_.from * 1e9) return false;
  return channels.empty() ||
         std::ranges::any_of(channels, [this](std::uint16_t id) { return topics_.contains(id); });
}

bool Reader::go_on(std::uint64_t offset) {
  if (!good_) return false;
  // Gaps and changes may come at any time.
  int waited_for = 0;
  bool all_past = false;
  for (const auto& [channel, topic] : topics_) {
    if (topic == Topic::gap || topic == Topic::change) continue;
    all_past = past_[static_cast<std::size_t>(topic)] && (all_past || waited_for == 0);
    ++waited_for;
  }
  if (all_past) return false;
  return visitor_.go_on(bytes_ > 0 ? static_cast<double>(offset) / static_cast<double>(bytes_) : 1);
}

void Reader::message(const mcap::Message& message) {
  const int topic = message.channel < stream_of_.size() ? stream_of_[message.channel] : -1;
  if (topic < 0 || !good_) return;
  begin();
  if (static_cast<Topic>(topic) == Topic::frame) return take_frame(message);
  if (static_cast<Topic>(topic) == Topic::change) return take_change(message);
  Stream& stream = *streams_[static_cast<std::size_t>(topic)];
  if (!stream.decoder.decode(message.data, stream.values)) {
    ++bad_messages;
  } else if (stream.topic == Topic::gap) {
    take_gap(stream);
  } else {
    take_row(stream, message);
  }
}

void Reader::take_frame(const mcap::Message& message) {
  const std::byte* const record = frames_->decode(message.data);
  if (record == nullptr) {
    ++bad_messages;
    return;
  }
  const io::FrameView view(frames_->layout(), record);
  if (within(Topic::frame, seconds(view.header().t), message.log_time)) visitor_.frame(view);
}

void Reader::take_row(Stream& stream, const mcap::Message& message) {
  Row row;
  if (stream.t) row.t = stream.values[*stream.t];
  if (!within(stream.topic, row.t, message.log_time)) return;
  if (stream.tick) row.tick = count_of(stream.values[*stream.tick]);
  for (std::size_t i = 0; i < stream.columns.size(); ++i) {
    stream.row[i] = stream.values[stream.columns[i]];
  }
  row.values = stream.row;
  visitor_.row(stream.topic, row);
}

void Reader::take_gap(const Stream& stream) {
  if (stream.values.size() < 3) return;
  const double reason = std::clamp(stream.values[2], 0.0, 2.0);
  visitor_.gap(
      {count_of(stream.values[0]), count_of(stream.values[1]), static_cast<Gap::Reason>(reason)});
}

void Reader::take_change(const mcap::Message& message) {
  auto effect =
      read_effect({reinterpret_cast<const char*>(message.data.data()), message.data.size()});
  if (!effect) {
    ++bad_messages;
  } else if (const double t = seconds(effect->time); t >= options_.from && t <= options_.to) {
    visitor_.change(*effect);
  }
}

bool Reader::within(Topic topic, double t, std::uint64_t log_time) {
  offset_ns_ = std::min(offset_ns_, static_cast<double>(log_time) - t * 1e9 - 1e3);
  if (t > options_.to) past_[static_cast<std::size_t>(topic)] = true;
  return t >= options_.from && t <= options_.to;
}

Result<void> Reader::finish() {
  begin();
  return good_;
}

}  // namespace

Result<LogScan> read_log(mcap::Source& source, LogVisitor& visitor, ReadOptions options) {
  Reader reader(visitor, options, source.size());
  auto scanned = mcap::scan(source, reader, {.verify = options.verify});
  if (!scanned) return tl::make_unexpected(scanned.error());
  if (auto good = reader.finish(); !good) return tl::make_unexpected(good.error());
  return LogScan{std::move(*scanned), std::move(reader.totals), reader.bad_messages};
}

}  // namespace hild::framelog

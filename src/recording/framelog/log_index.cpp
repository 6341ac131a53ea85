// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/log_index.hpp"

#include <algorithm>
#include <iterator>

namespace hild::framelog {
namespace {

class Head final : public LogVisitor {
 public:
  void begin(const LogHead& head) override { found = head; }
  [[nodiscard]] bool wants(LogPart /*part*/) const override { return false; }
  LogHead found;
};

class First final : public LogVisitor {
 public:
  [[nodiscard]] bool wants(LogPart part) const override { return part == LogPart::keyframe; }
  void keyframe(exec::Keyframe& keyframe) override {
    if (!found) found = std::move(keyframe);
  }
  std::optional<exec::Keyframe> found;
};

/// The keyframes of a chunk, the last one up to a time.
class LastBefore final : public LogVisitor {
 public:
  explicit LastBefore(SimTime time) : time_(time) {}
  [[nodiscard]] bool wants(LogPart part) const override { return part == LogPart::keyframe; }
  void keyframe(exec::Keyframe& keyframe) override {
    any = true;
    if (keyframe.head.time <= time_) found = std::move(keyframe);
  }
  bool any = false;
  std::optional<exec::Keyframe> found;

 private:
  SimTime time_;
};

}  // namespace

Result<LogIndex> LogIndex::of(mcap::ByteSource& source) {
  LogIndex index;
  Head head;
  const std::vector<std::uint64_t> none;
  if (auto read = read_log(source, head, {.chunks = &none}); !read) {
    return tl::make_unexpected(read.error());
  }
  index.head_ = std::move(head.found);
  auto found = mcap::index_of(source);
  if (!found) return tl::make_unexpected(found.error());
  index.index_ = std::move(*found);
  return index;
}

std::vector<std::uint64_t> LogIndex::chunks(std::initializer_list<Topic> topics,
                                            std::uint64_t from) const {
  std::vector<std::uint64_t> offsets;
  for (const mcap::ChunkPlace& place : index_.chunks) {
    const bool wanted =
        std::ranges::any_of(topics, [&](Topic topic) { return place.may_have(channel_of(topic)); });
    if (wanted && place.end >= from) offsets.push_back(place.offset);
  }
  return offsets;
}

Result<std::optional<exec::Keyframe>> LogIndex::first_keyframe(mcap::ByteSource& source) const {
  const auto place = std::ranges::find_if(index_.chunks, [](const mcap::ChunkPlace& one) {
    return one.may_have(channel_of(Topic::keyframe));
  });
  if (place == index_.chunks.end()) return std::optional<exec::Keyframe>();
  First first;
  const std::vector<std::uint64_t> one{place->offset};
  if (auto read = read_log(source, first, {.chunks = &one}); !read) {
    return tl::make_unexpected(read.error());
  }
  return std::move(first.found);
}

// Later ones stand further behind. A chunk without a whole keyframe, as by damage, is passed over.
Result<FoundKeyframe> LogIndex::keyframe_before(mcap::ByteSource& source, SimTime time) const {
  std::vector<mcap::ChunkPlace> all;
  std::ranges::copy_if(index_.chunks, std::back_inserter(all), [](const mcap::ChunkPlace& place) {
    return place.may_have(channel_of(Topic::keyframe));
  });
  FoundKeyframe best;
  std::size_t low = 0;
  for (std::size_t high = all.size(); low < high;) {
    const std::size_t middle = low + (high - low) / 2;
    std::size_t at = middle;
    LastBefore last(time);
    for (; at < high && !last.any; ++at) {
      const std::vector<std::uint64_t> one{all[at].offset};
      if (auto read = read_log(source, last, {.chunks = &one}); !read) {
        return tl::make_unexpected(read.error());
      }
    }
    if (last.found) {
      best.last = std::move(last.found);
      low = at;
    } else {
      high = middle;
    }
  }
  if (best.last && low < all.size()) {
    // Slips only add to the distance of the two times: up to here it would be one before.
    const std::uint64_t latest =
        head_.description.clock.log_time(best.last->head.tick + (time - best.last->head.time));
    best.passed_over = all[low].start <= latest;
  }
  return best;
}

}  // namespace hild::framelog

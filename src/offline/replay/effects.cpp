// SPDX-License-Identifier: Apache-2.0
#include "offline/replay/effects.hpp"

#include <algorithm>
#include <utility>

namespace hild::replay {
namespace {

class Changes final : public framelog::LogVisitor {
 public:
  [[nodiscard]] bool wants(framelog::LogPart part) const override {
    return part == framelog::LogPart::change;
  }
  void change(framelog::Effect& effect) override {
    found.push_back(std::make_unique<framelog::Effect>(std::move(effect)));
  }
  std::vector<std::unique_ptr<framelog::Effect>> found;
};

}  // namespace

const exec::PlaybackTable* table_in(const framelog::Effect& effect, std::uint64_t id,
                                    std::uint32_t change, SimTime start) noexcept {
  const exec::Transaction& t = effect.transaction;
  if (t.id != id || effect.time != start || change >= t.count) return nullptr;
  const auto* const stimulus = std::get_if<exec::Stimulus>(&t.change[change]);
  return stimulus != nullptr && stimulus->shape == exec::Shape::playback ? &stimulus->table
                                                                         : nullptr;
}

Effects::Effects(mcap::ByteSource& source, const framelog::LogIndex& index)
    : source_(source), index_(index), chunks_(index.chunks({framelog::Topic::change})) {}

Effects::Read Effects::read(std::size_t chunk) {
  Changes changes;
  const std::vector<std::uint64_t> one{chunks_[chunk]};
  const auto scan = framelog::read_log(source_, changes, {.chunks = &one});
  if (!scan) {
    problem_ = scan.error().message;
  } else if (scan->file.damage_count > 0 || scan->bad_messages > 0) {
    problem_ = "the log is damaged: `hild log` tells where";
  }
  return std::move(changes.found);
}

// A change may have been written a little later than it took effect, and a little earlier than its
// step: where the first one is, their numbers tell.
Result<void> Effects::begin_after(std::int64_t count, MonoTime tick) {
  before_ = count;
  const std::uint64_t from = index_.head().description.clock.log_time(tick);
  const std::size_t later = index_.chunks({framelog::Topic::change}, from).size();
  next_chunk_ = chunks_.size() - std::min(later, chunks_.size());
  while (next_chunk_ > 0) {
    const Read before = read(next_chunk_ - 1);
    if (!before.empty() && before.back()->number <= count) break;
    --next_chunk_;
  }
  while (next_chunk_ < chunks_.size() && ahead_.empty()) {
    for (auto& effect : read(next_chunk_++)) {
      if (effect->number > count) ahead_.push_back(std::move(effect));
    }
  }
  if (!problem_.empty()) return fail("{}", problem_);
  return {};
}

const exec::Transaction* Effects::next() noexcept {
  while (ahead_.empty() && next_chunk_ < chunks_.size()) {
    for (auto& effect : read(next_chunk_++)) {
      // A log that begins in mid-run has some from before, for their tables.
      if (before_ == 0 || effect->number > before_) ahead_.push_back(std::move(effect));
    }
  }
  if (ahead_.empty()) return nullptr;
  kept_.push_back(std::move(ahead_.front()));
  ahead_.pop_front();
  return &kept_.back()->transaction;
}

// From the place where this begins, backwards.
const exec::PlaybackTable* Effects::find(std::uint64_t id, std::uint32_t change,
                                         SimTime start) noexcept {
  for (std::size_t chunk = std::min(next_chunk_ + 1, chunks_.size()); chunk-- > 0;) {
    for (auto& effect : read(chunk)) {
      const exec::PlaybackTable* const table = table_in(*effect, id, change, start);
      if (table == nullptr) continue;
      kept_.push_back(std::move(effect));
      return table;
    }
  }
  return nullptr;
}

}  // namespace hild::replay

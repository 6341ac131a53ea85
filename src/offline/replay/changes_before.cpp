// SPDX-License-Identifier: Apache-2.0
#include "offline/replay/changes_before.hpp"

#include <utility>

#include "recording/framelog/log_index.hpp"
#include "recording/framelog/reader.hpp"
#include "recording/mcap/file.hpp"

namespace hild::replay {
namespace {

/// The transactions of a recording up to a number.
class Before final : public framelog::LogVisitor {
 public:
  explicit Before(std::int64_t last) : last_(last) {}
  [[nodiscard]] bool wants(framelog::LogPart part) const override {
    return part == framelog::LogPart::change;
  }
  void change(framelog::Effect& effect) override {
    if (effect.number <= last_) found.push_back(std::move(effect));
  }

  std::vector<framelog::Effect> found;

 private:
  std::int64_t last_;
};

}  // namespace

Result<std::vector<framelog::Effect>> changes_before(const std::string& file, std::int64_t last) {
  if (last == 0) return std::vector<framelog::Effect>{};
  auto source = mcap::FileSource::open(file);
  if (!source) return tl::make_unexpected(source.error());
  const auto index = framelog::LogIndex::of(*source);
  if (!index) return tl::make_unexpected(index.error());
  const auto chunks = index->chunks({framelog::Topic::change});
  Before before(last);
  const auto scan = framelog::read_log(*source, before, {.chunks = &chunks});
  if (!scan) return tl::make_unexpected(scan.error());
  const auto found = static_cast<std::int64_t>(before.found.size());
  if (found == last) return std::move(before.found);
  return fail(
      "{}: {} of {} changes that took effect before are not in it, as it was begun later or is "
      "damaged: what is in force could not be told",
      file, last - found, last);
}

}  // namespace hild::replay

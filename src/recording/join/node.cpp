// SPDX-License-Identifier: Apache-2.0
#include "recording/join/node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/decimal.hpp"

namespace hild::join {
namespace {

using framelog::value_of;

/// Why a recording cannot be joined with others; none: it can.
std::optional<Error> unfit(const framelog::LogHead& head) {
  const framelog::Description& d = head.description;
  const auto refuse = [](std::string words) { return Error{std::move(words)}; };
  if (value_of(d.run, "offline") == "true") {
    return refuse(
        "it is of an offline run, which sends nothing and hears nobody; expected a live run: "
        "record one without `--offline`");
  }
  if (value_of(d.run, "frames") == "notable") {
    return refuse(
        "it holds notable frames alone, and of the others not what was sent and received; expected "
        "every frame: record it with `record: {frames: all}`");
  }
  if (!d.clock.tai_ahead) {
    return refuse(fmt::format(
        "it does not say how far TAI was ahead of its clock (`tai_ahead_ns` of `clock`), by which "
        "nodes have one time; it was recorded by {}: expected a recording of a later version",
        d.program.empty() ? "an unknown program" : d.program));
  }
  return {};
}

class NodeReader final : public framelog::LogVisitor {
 public:
  NodeReader(NodeRecord& node, const framelog::Progress& progress)
      : node_(node), progress_(progress) {}

  void begin(const framelog::LogHead& head) override {
    error_ = unfit(head);
    if (error_) return;
    auto links = framelog::links_of(head.description);
    if (!links) {
      error_ = links.error();
    } else if (!*links || (*links)->node.empty()) {
      error_ = Error{
          "its run exchanges nothing with other nodes; expected one with a device of the driver "
          "dds"};
    } else if (const io::FrameLayout& layout = head.frame_layout; !fits(**links, layout)) {
      error_ = Error{"what it says of its links is not what its steps hold"};
    } else {
      node_.links = std::move(**links);
      node_.name = node_.links.node;
      node_.frame = head.description.clock.grid.period();
      node_.tai_ahead = *head.description.clock.tai_ahead;
    }
  }
  [[nodiscard]] bool wants(framelog::LogPart part) const override {
    return part == framelog::LogPart::frame;
  }
  void frame(const io::FrameView& record) override {
    if (error_) return;
    const io::FrameHeader& h = record.header();
    if (!before_) node_.first = tai(std::min(h.due, h.start));
    note_missing(h);
    writes(record);
    looks(record);
    node_.last = std::max(node_.last, tai(h.end));
    before_ = h;
  }
  bool go_on(double part) override {
    stopped_ = progress_ && !progress_(part);
    return !error_ && !stopped_;
  }

  [[nodiscard]] Result<void> finish() {
    if (!error_ && stopped_) error_ = Error{"the reading was ended"};
    if (!error_ && !before_) error_ = Error{"it holds no whole frames"};
    const auto ordered = [](const auto& list) { return std::ranges::is_sorted(list, {}, at_of); };
    if (!error_ && !(ordered(node_.writes) && ordered(node_.looks))) {
      error_ = Error{"its steps do not follow one another in time"};
    }
    if (error_) return tl::make_unexpected(*error_);
    return {};
  }

 private:
  static constexpr auto at_of = [](const auto& one) { return one.at; };

  static bool fits(const framelog::Links& links, const io::FrameLayout& layout) {
    return layout.heard() == links.sent.size() &&
           std::ranges::all_of(links.received, [&](const framelog::ReceivedSignal& s) {
             return s.place < layout.sampled() && s.group < layout.groups();
           });
  }
  [[nodiscard]] TaiTime tai(MonoTime t) const noexcept { return {t.ns + node_.tai_ahead.ns}; }

  void note_missing(const io::FrameHeader& h) {
    if (!before_) return;
    const std::int64_t next = before_->step + (before_->frozen ? 0 : 1);
    if (h.step > next) node_.missing.push_back({tai(before_->end), tai(h.start)});
  }
  void writes(const io::FrameView& record) {
    const io::FrameHeader& h = record.header();
    for (std::size_t w = 0; w < record.writes(); ++w) {
      node_.writes.push_back({tai(record.written_at(w)), h.frame});
      const std::span<const double> values = record.written(w);
      node_.written.insert(node_.written.end(), values.begin(), values.end());
    }
    // There may have been more.
    if (record.writes() == io::most_writes) {
      node_.missing.push_back({node_.writes.back().at, tai(h.end)});
    }
  }
  // Those that were read before the run are of no frame.
  void looks(const io::FrameView& record) {
    if (node_.links.received.empty() || record.images() == 0) return;
    const io::FrameHeader& h = record.header();
    for (std::size_t i = record.tick_image(); i < record.images(); ++i) {
      const bool tick = i == record.tick_image();
      const MonoTime at = tick ? h.start : read_at(record, i);
      node_.looks.push_back({tai(at), h.frame, in_seconds(h.t), tick});
      for (const framelog::ReceivedSignal& s : node_.links.received) {
        node_.made.push_back(tai(record.instants(i)[s.group]));
        node_.received.push_back(record.image(i)[s.place]);
      }
    }
  }
  // About when an image within a step was: at that of the first pass which has it.
  [[nodiscard]] static MonoTime read_at(const io::FrameView& record, std::size_t image) {
    MonoTime at = record.header().start;
    for (std::size_t p = 0; p < record.passes(); ++p) {
      at = std::max(at, record.nominal(p));
      if (record.images_before(p) > static_cast<std::int64_t>(image)) break;
    }
    return at;
  }

  NodeRecord& node_;
  const framelog::Progress& progress_;
  std::optional<io::FrameHeader> before_;
  std::optional<Error> error_;
  bool stopped_ = false;
};

}  // namespace

TaiTime NodeRecord::instant_of(std::int64_t of_frame) const noexcept {
  const auto first_at = [&](const auto& all) {
    const auto one =
        std::ranges::find_if(all, [&](const auto& at) { return at.frame >= of_frame; });
    return one == all.end() ? last : one->at;
  };
  return std::min(first_at(looks), first_at(writes));
}

bool NodeRecord::covers(TaiTime t) const noexcept {
  return t >= first && t <= last &&
         std::ranges::none_of(missing, [t](const Missing& m) { return t > m.from && t < m.to; });
}

Result<NodeRecord> read_node(mcap::ByteSource& source, const std::string& file,
                             const framelog::Progress& progress) {
  NodeRecord node;
  node.file = file;
  NodeReader reader(node, progress);
  const auto scan = framelog::read_log(source, reader);
  if (!scan) return fail("{}: {}", file, scan.error().message);
  if (auto good = reader.finish(); !good) return fail("{}: {}", file, good.error().message);
  if (scan->file.damage_count > 0 || scan->bad_messages > 0) {
    node.notes.emplace_back("is damaged: `hild log` tells where");
  } else if (!scan->file.complete) {
    node.notes.emplace_back("was not closed: its run was cut off, or still goes on");
  }
  return node;
}

}  // namespace hild::join

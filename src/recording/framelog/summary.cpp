// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/summary.hpp"

#include <algorithm>
#include <numeric>
#include <variant>

#include "recording/record/words.hpp"

namespace hild::framelog {
namespace {

constexpr std::size_t most_gaps = 100'000;
constexpr std::size_t most_marks = 10'000;

class Summariser final : public LogVisitor {
 public:
  Summariser(Summary& summary, const Progress& progress) : s_(summary), progress_(progress) {}

  void begin(const LogHead& head) override {
    s_.head = head;
    for (std::string& model : listed(value_of(head.description.run, "models"))) {
      if (s_.capped_by.size() < io::most_cappers) s_.capped_by.emplace_back(std::move(model), 0);
    }
  }
  [[nodiscard]] bool wants(LogPart part) const override {
    return part == LogPart::frame || part == LogPart::gap || part == LogPart::timing ||
           part == LogPart::change || part == LogPart::keyframe;
  }
  void frame(const io::FrameView& record) override {
    const io::FrameHeader& h = record.header();
    note_next(h);
    extend(seconds(h.t), seconds(s_.head.description.clock.end_of(h)), s_.frames++ == 0);
    count(h);
    if (record::is_overrun(h)) {
      ++s_.overruns;
      ++s_.by_cause[static_cast<std::size_t>(h.cause)];
      s_.overrun_list.push_back({h, 0, load_.utilisation(), around_.steps()});
    }
    load_.note(h);
    around_.note(h);
    for (std::size_t p = 0; p < io::phase_count; ++p) s_.phases[p].add(h.phases[p]);
    before_ = h;
  }
  void row(LogPart /*timing*/, const Row& row) override {
    first_row_ = s_.rows++ == 0 ? row.t : first_row_;
    last_row_ = row.t;
  }
  void gap(const Gap& gap) override {
    if (gap.last < gap.first) return;
    s_.missing[static_cast<std::size_t>(gap.reason)] += gap.last - gap.first + 1;
    if (s_.gaps.size() < most_gaps) s_.gaps.push_back(gap);
  }
  void change(Effect& effect) override {
    const auto changes = effect.transaction.changes();
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const auto* const mark = std::get_if<exec::Mark>(&changes[i]);
      if (mark == nullptr || s_.mark_list.size() == most_marks) continue;
      s_.mark_list.push_back({effect.frame, effect.time, mark->label});
      if (i < effect.texts.size()) s_.mark_list.back().text = std::move(effect.texts[i]);
    }
  }
  void keyframe(exec::Keyframe& /*keyframe*/) override { ++s_.keyframes; }
  bool go_on(double part) override { return !progress_ || progress_(part); }

  void end() {
    if (s_.frames == 0) {
      s_.first_t = first_row_;
      s_.last_t = last_row_;
    }
    const std::int64_t told = std::accumulate(s_.missing.begin(), s_.missing.end(), std::int64_t{});
    if (s_.every_frame) s_.unexplained = std::max<std::int64_t>(0, absent_ - told);
  }

 private:
  void extend(double first, double last, bool anew) {
    s_.first_t = anew ? first : std::min(s_.first_t, first);
    s_.last_t = anew ? last : std::max(s_.last_t, last);
  }
  // What the step after another tells of that one.
  void note_next(const io::FrameHeader& h) {
    if (!before_) {
      const bool mid_run = value_of(s_.head.description.run, run_begins) == begins_mid_run;
      const auto& branch = s_.head.description.branch;
      const std::int64_t first = branch ? branch->begins_at : 0;
      absent_ += mid_run ? 0 : std::max<std::int64_t>(h.step - first, 0);
      return;
    }
    const std::int64_t next = before_->step + (before_->frozen ? 0 : 1);
    if (h.step == next && record::is_overrun(*before_)) s_.overrun_list.back().next_span = h.span;
    if (h.step > next) absent_ += h.step - next;
  }
  void count(const io::FrameHeader& h) {
    s_.counts.add(h);
    s_.counts[&exec::Statistics::slips] +=
        before_ ? record::frames_given_up(*before_, h) : h.slipped;
    s_.external_events += h.external_events;
    s_.marks += h.mark != 0 ? 1 : 0;
    for (std::size_t c = 0; c < io::cap_count; ++c) {
      s_.capped[c] += record::reached(h, static_cast<io::Cap>(c)) ? 1 : 0;
    }
    for (std::size_t m = 0; m < s_.capped_by.size(); ++m) {
      s_.capped_by[m].second += h.capped_by >> m & 1U;
    }
  }

  Summary& s_;
  const Progress& progress_;
  std::optional<io::FrameHeader> before_;
  record::FlightRecorder load_{100};
  record::FlightRecorder around_{16};
  std::int64_t absent_ = 0;  ///< steps between those that are there
  double first_row_ = 0;
  double last_row_ = 0;
};

}  // namespace

Result<std::unique_ptr<Summary>> summarise(mcap::ByteSource& source, const Progress& progress) {
  auto summary = std::make_unique<Summary>();
  Summariser summariser(*summary, progress);
  auto scan = read_log(source, summariser, {.verify = true});
  if (!scan) return tl::make_unexpected(scan.error());
  summary->scan = std::move(*scan);
  summary->every_frame = value_of(summary->head.description.run, "frames") != "notable";
  summariser.end();
  return summary;
}

}  // namespace hild::framelog

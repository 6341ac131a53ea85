// SPDX-License-Identifier: Apache-2.0
#include "recording/record/overrun_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "recording/record/words.hpp"

namespace hild::record {
namespace {

// "device 300, pass 12": the most frequent first.
std::string causes(const std::array<std::int64_t, io::cause_count>& by_cause) {
  std::array<std::size_t, io::cause_count> order{};
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t c) { return by_cause[c]; });
  std::string text;
  for (const std::size_t c : order) {
    if (by_cause[c] == 0) break;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", in_words(static_cast<io::Cause>(c)),
                        by_cause[c]);
  }
  return text;
}

}  // namespace

void Tally::overrun(const io::FrameHeader& h) noexcept {
  ++overruns;
  ++by_cause[static_cast<std::size_t>(h.cause)];
  worst = std::max(worst, h.lateness);
}

std::string Tally::line(Duration within) const {
  std::vector<std::string> parts;
  const auto part = [&parts](std::int64_t n, std::string_view one, std::string_view many) {
    if (n == 0) return;
    parts.push_back(fmt::format("{} {}{}", n, parts.empty() ? "more " : "", n == 1 ? one : many));
  };
  part(overruns, "overrun", "overruns");
  part(late_wakes, "late wake", "late wakes");
  part(slips, "slipped frame", "slipped frames");
  part(capped, "step cut short", "steps cut short");
  part(recoveries, "recovery", "recoveries");
  std::string text = fmt::format("and {} in {:.1f} s", fmt::join(parts, ", "), seconds(within));
  if (overruns > 0) text += fmt::format(": {}; worst +{}", causes(by_cause), in_words(worst));
  return text;
}

OverrunLog::OverrunLog(std::shared_ptr<spdlog::logger> logger, OverrunLogOptions options)
    : logger_(std::move(logger)), options_(std::move(options)), limit_(options_.lines_per_second) {}

void OverrunLog::frame(const io::FrameView& record) {
  const io::FrameHeader& h = record.header();
  if (limit_.over(h.end)) sum_up(h.end);
  if (before_ && is_overrun(*before_)) {
    const bool next = before_->step + 1 == h.step;  // else records were dropped
    tell_overrun(*before_, next ? h.span : 0, h.end);
  }
  tell_slip(h);
  tell_recovery(h);
  tell_caps(h);
  tell_late_wake(h);
  tell_freeze(h);
  before_ = h;
  used_before_ = flight_.utilisation();
  flight_.note(h);
}

void OverrunLog::flush() {
  if (!before_) return;
  if (is_overrun(*before_)) tell_overrun(*before_, 0, before_->end);
  sum_up(before_->end);
  before_.reset();
  logger_->flush();
}

// What sums up one window is the first line of the next.
void OverrunLog::sum_up(MonoTime now) {
  const Duration age = limit_.age(now);
  if (limit_.close(now) == 0) return;
  const Tally kept_back = std::exchange(kept_back_, {});
  log(*logger_, spdlog::level::warn,
      {{"HILD_EVENT", "summary"},
       {"HILD_OVERRUNS", kept_back.overruns},
       {"HILD_LATE_WAKES", kept_back.late_wakes},
       {"HILD_SLIPPED_FRAMES", kept_back.slips},
       {"HILD_CAPPED", kept_back.capped}},
      kept_back.line(age));
}

bool OverrunLog::admit(MonoTime now, std::int64_t& kept_back, std::int64_t count) {
  if (limit_.admit(now)) return true;
  kept_back += count;
  return false;
}

void OverrunLog::tell(spdlog::level::level_enum level, std::string_view event,
                      const io::FrameHeader& h, std::string_view line, std::vector<LogField> more) {
  more.insert(more.begin(),
              {{"HILD_EVENT", event}, {"HILD_FRAME", h.frame}, {"HILD_STEP", h.step}});
  log(*logger_, level, std::move(more), line);
}

void OverrunLog::tell_overrun(const io::FrameHeader& late, int next_span, MonoTime now) {
  if (!limit_.admit(now)) return kept_back_.overrun(late);
  tell(spdlog::level::warn, "overrun", late,
       overrun_line(late, next_span,
                    {options_.devices, used_before_, options_.evidence, options_.models}),
       {{"HILD_CAUSE", io::to_string(late.cause)},
        {"HILD_LATENESS_NS", late.lateness.ns},
        {"HILD_NEXT_SPAN", next_span}});
}

void OverrunLog::tell_slip(const io::FrameHeader& h) {
  const std::int64_t frames = before_ ? frames_given_up(*before_, h) : h.slipped;
  if (frames <= 0 || !admit(h.end, kept_back_.slips, frames)) return;
  tell(spdlog::level::warn, "slip", h,
       fmt::format("frame {}: {} given up (slip), simulated time falls behind", h.frame,
                   counted(frames, "frame")),
       std::vector<LogField>{{"HILD_SLIPPED_FRAMES", frames}});
}

void OverrunLog::tell_recovery(const io::FrameHeader& h) {
  if (h.span > 1) ++doubled_;
  if (doubled_ == 0 || is_overrun(h)) return;
  const std::int64_t doubled = std::exchange(doubled_, 0);
  if (!admit(h.end, kept_back_.recoveries)) return;
  tell(spdlog::level::info, "in_step", h,
       fmt::format("frame {}: in step again after {}", h.frame, counted(doubled, "doubled step")));
}

void OverrunLog::tell_caps(const io::FrameHeader& h) {
  if (h.capped == 0 || !admit(h.end, kept_back_.capped)) return;
  std::vector<std::string_view> caps;
  std::vector<std::string_view> functions;
  for (std::size_t i = 0; i < io::cap_count; ++i) {
    const auto cap = static_cast<io::Cap>(i);
    if (!reached(h, cap)) continue;
    caps.push_back(io::to_string(cap));
    functions.push_back(io::function_of(cap));
  }
  std::vector<LogField> more{{"HILD_CAP", fmt::format("{}", fmt::join(caps, ","))},
                             {"HILD_FUNCTION", fmt::format("{}", fmt::join(functions, ","))}};
  if (const std::string by = cappers(h, options_.models); !by.empty()) {
    more.emplace_back("HILD_MODEL", by);
  }
  tell(spdlog::level::warn, "capped", h, cap_line(h, options_.models), std::move(more));
}

// The late wake of an overrun is told by the line of the overrun.
void OverrunLog::tell_late_wake(const io::FrameHeader& h) {
  if (!h.late_wake || is_overrun(h) || !admit(h.end, kept_back_.late_wakes)) return;
  tell(spdlog::level::info, "late_wake", h, late_wake_line(h, options_.late_wake));
}

// Happens rarely and matters most: not limited.
void OverrunLog::tell_freeze(const io::FrameHeader& h) {
  const bool was_frozen = before_ && before_->frozen;
  if (h.frozen == was_frozen) return;
  const std::string_view words = !h.frozen   ? "the plant goes on"
                                 : h.limited ? "overrun limit reached, the plant is frozen"
                                             : "the plant is frozen, as asked for";
  tell(h.frozen && h.limited ? spdlog::level::err : spdlog::level::info,
       h.frozen ? "frozen" : "resumed", h, fmt::format("frame {}: {}", h.frame, words));
}

}  // namespace hild::record

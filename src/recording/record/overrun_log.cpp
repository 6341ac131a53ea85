// SPDX-License-Identifier: Apache-2.0
#include "recording/record/overrun_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "recording/record/log_fields.hpp"
#include "recording/record/words.hpp"

namespace hild::record {
namespace {

LogFields fields_of(std::string_view event, const io::FrameHeader& h,
                    std::vector<LogField> more = {}) {
  std::vector<LogField> fields{{"HILD_EVENT", std::string(event)},
                               {"HILD_FRAME", std::to_string(h.frame)},
                               {"HILD_STEP", std::to_string(h.step)}};
  std::ranges::move(more, std::back_inserter(fields));
  return LogFields(std::move(fields));
}

}  // namespace

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
  limit_.close();
  if (kept_back_.empty()) return;
  static_cast<void>(limit_.admit(now));
  const LogFields fields({{"HILD_EVENT", "summary"},
                          {"HILD_OVERRUNS", std::to_string(kept_back_.overruns)},
                          {"HILD_LATE_WAKES", std::to_string(kept_back_.late_wakes)},
                          {"HILD_SLIPPED_FRAMES", std::to_string(kept_back_.slips)},
                          {"HILD_CAPPED", std::to_string(kept_back_.capped)}});
  logger_->warn(std::exchange(kept_back_, {}).line(age));
}

void OverrunLog::tell_overrun(const io::FrameHeader& late, int next_span, MonoTime now) {
  if (!limit_.admit(now)) return kept_back_.overrun(late);
  const LogFields fields = fields_of("overrun", late,
                                     {{"HILD_CAUSE", std::string(io::to_string(late.cause))},
                                      {"HILD_LATENESS_NS", std::to_string(late.lateness.ns)},
                                      {"HILD_NEXT_SPAN", std::to_string(next_span)}});
  logger_->warn(overrun_line(late, next_span, {options_.devices, used_before_, options_.evidence}));
}

void OverrunLog::tell_slip(const io::FrameHeader& h) {
  const std::int64_t frames = before_ ? frames_given_up(*before_, h) : h.slipped;
  if (frames <= 0) return;
  if (!limit_.admit(h.end)) {
    kept_back_.slips += frames;
    return;
  }
  const LogFields fields = fields_of("slip", h, {{"HILD_SLIPPED_FRAMES", std::to_string(frames)}});
  logger_->warn(fmt::format("frame {}: {} given up (slip), simulated time falls behind", h.frame,
                            counted(frames, "frame")));
}

void OverrunLog::tell_recovery(const io::FrameHeader& h) {
  if (h.span > 1) ++doubled_;
  if (doubled_ == 0 || is_overrun(h)) return;
  const std::int64_t doubled = std::exchange(doubled_, 0);
  if (!limit_.admit(h.end)) {
    ++kept_back_.recoveries;
    return;
  }
  const LogFields fields = fields_of("in_step", h);
  logger_->info(
      fmt::format("frame {}: in step again after {}", h.frame, counted(doubled, "doubled step")));
}

void OverrunLog::tell_caps(const io::FrameHeader& h) {
  if (h.capped == 0) return;
  if (!limit_.admit(h.end)) {
    ++kept_back_.capped;
    return;
  }
  std::string caps;
  std::string functions;
  for (std::size_t i = 0; i < io::cap_count; ++i) {
    const auto cap = static_cast<io::Cap>(i);
    if (!reached(h, cap)) continue;
    caps += fmt::format("{}{}", caps.empty() ? "" : ",", io::to_string(cap));
    functions += fmt::format("{}{}", functions.empty() ? "" : ",", io::function_of(cap));
  }
  std::vector<LogField> more{{"HILD_CAP", caps}, {"HILD_FUNCTION", functions}};
  if (std::string by = cappers(h, options_.models); !by.empty()) {
    more.push_back({"HILD_MODEL", std::move(by)});
  }
  const LogFields fields = fields_of("capped", h, std::move(more));
  logger_->warn(cap_line(h, options_.models));
}

// The late wake of an overrun is told by the line of the overrun.
void OverrunLog::tell_late_wake(const io::FrameHeader& h) {
  if (!h.late_wake || is_overrun(h)) return;
  if (!limit_.admit(h.end)) {
    ++kept_back_.late_wakes;
    return;
  }
  const LogFields fields = fields_of("late_wake", h);
  logger_->info(late_wake_line(h, options_.late_wake));
}

// Happens rarely and matters most: not limited.
void OverrunLog::tell_freeze(const io::FrameHeader& h) {
  const bool was_frozen = before_ && before_->frozen;
  if (h.frozen == was_frozen) return;
  if (!h.frozen) {
    const LogFields fields = fields_of("resumed", h);
    logger_->info(fmt::format("frame {}: the plant goes on", h.frame));
    return;
  }
  const LogFields fields = fields_of("frozen", h);
  if (h.limited) {
    logger_->error(fmt::format("frame {}: overrun limit reached, the plant is frozen", h.frame));
  } else {
    logger_->info(fmt::format("frame {}: the plant is frozen, as asked for", h.frame));
  }
}

}  // namespace hild::record

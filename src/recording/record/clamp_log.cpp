// SPDX-License-Identifier: Apache-2.0
#include "recording/record/clamp_log.hpp"

#include <fmt/format.h>

#include <utility>

#include "recording/record/words.hpp"

namespace hild::record {

ClampLog::ClampLog(std::shared_ptr<spdlog::logger> logger, const exec::Statistics& statistics,
                   Cuts cuts, std::vector<std::string> names, std::vector<std::string> units)
    : logger_(std::move(logger)),
      statistics_(&statistics),
      cuts_(std::move(cuts)),
      names_(std::move(names)),
      units_(std::move(units)),
      seen_(names_.size()) {}

void ClampLog::look(MonoTime now) {
  if (limit_.over(now)) sum_up(now);
  const std::int64_t stretches = statistics_->clamp_stretches.get();
  const bool open = statistics_->clamped_since.get() >= 0;
  if (stretches > stretches_) {
    const std::int64_t began = stretches - std::exchange(stretches_, stretches);
    if (reported_) tell_end();
    // The newest is told; those that came and went between two looks are counted.
    limit_.refuse(began - 1);
    reported_ = limit_.admit(now);
    if (reported_) tell_begin();
  }
  if (reported_ && !open) tell_end();
}

void ClampLog::finish(MonoTime now) {
  look(now);
  sum_up(now);
  logger_->flush();
}

void ClampLog::sum_up(MonoTime now) {
  const std::int64_t times = limit_.close(now);
  if (times == 0) return;
  log(*logger_, spdlog::level::warn, {{"HILD_EVENT", "summary"}, {"HILD_CLAMP_STRETCHES", times}},
      fmt::format("outputs were cut to their limits {}", counted(times, "more time")));
}

// "`shaft_speed` (486 rad/s wanted, -200 ... 200 there)", of what was cut since the last look.
std::string ClampLog::newly_cut() {
  std::string text;
  for (const io::CutOutput& cut : cuts_()) {
    if (cut.signal >= seen_.size()) continue;
    if (std::exchange(seen_[cut.signal], cut.values) == cut.values) continue;
    text += fmt::format("{}`{}` ({:.4g}{} wanted, {:.4g} ... {:.4g} there)",
                        text.empty() ? "" : ", ", names_[cut.signal], cut.last,
                        behind_number(units_[cut.signal]), cut.limits.low, cut.limits.high);
  }
  return text;
}

void ClampLog::tell_begin() {
  const std::int64_t frame = statistics_->clamped_since.get();
  // It may be over by now; that is told next.
  log(*logger_, spdlog::level::warn, {{"HILD_EVENT", "clamped"}, {"HILD_FRAME", frame}},
      fmt::format("{}outputs are cut to their limits, and do not follow the model: {}",
                  frame >= 0 ? fmt::format("frame {}: ", frame) : "", newly_cut()));
}

void ClampLog::tell_end() {
  reported_ = false;
  const std::int64_t all = statistics_->clamped_frames.get();
  const std::int64_t frames = all - std::exchange(frames_, all);
  log(*logger_, spdlog::level::info,
      {{"HILD_EVENT", "not_clamped"}, {"HILD_CLAMPED_FRAMES", frames}},
      fmt::format("outputs follow the model again, {} were cut", counted(frames, "frame")));
}

}  // namespace hild::record

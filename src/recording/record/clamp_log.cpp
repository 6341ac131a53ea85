// SPDX-License-Identifier: Apache-2.0
#include "recording/record/clamp_log.hpp"

#include <fmt/format.h>

#include <utility>

#include "recording/record/log_fields.hpp"
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
    kept_back_ += began - 1;
    reported_ = limit_.admit(now);
    if (reported_) {
      tell_begin();
    } else {
      ++kept_back_;
    }
  }
  if (reported_ && !open) tell_end();
}

void ClampLog::finish(MonoTime now) {
  look(now);
  sum_up(now);
  logger_->flush();
}

void ClampLog::sum_up(MonoTime now) {
  limit_.close();
  if (kept_back_ == 0) return;
  static_cast<void>(limit_.admit(now));
  const LogFields fields(
      {{"HILD_EVENT", "summary"}, {"HILD_CLAMP_STRETCHES", std::to_string(kept_back_)}});
  logger_->warn(fmt::format("outputs were cut to their limits {}",
                            counted(std::exchange(kept_back_, 0), "more time")));
}

// "`shaft_speed` (486 rad/s wanted, -200 ... 200 there)", of what was cut since the last look.
std::string ClampLog::newly_cut() {
  std::string text;
  for (const io::CutOutput& cut : cuts_()) {
    if (cut.signal >= seen_.size()) continue;
    if (std::exchange(seen_[cut.signal], cut.values) == cut.values) continue;
    const std::string& unit = units_[cut.signal];
    text +=
        fmt::format("{}`{}` ({:.4g}{}{} wanted, {:.4g} ... {:.4g} there)", text.empty() ? "" : ", ",
                    names_[cut.signal], cut.last, unit == "1" ? "" : " ", unit == "1" ? "" : unit,
                    cut.limits.low, cut.limits.high);
  }
  return text;
}

void ClampLog::tell_begin() {
  const std::int64_t frame = statistics_->clamped_since.get();
  const std::string outputs = newly_cut();
  const LogFields fields({{"HILD_EVENT", "clamped"}, {"HILD_FRAME", std::to_string(frame)}});
  // It may be over by now; that is told next.
  logger_->warn(fmt::format("{}outputs are cut to their limits, and do not follow the model: {}",
                            frame >= 0 ? fmt::format("frame {}: ", frame) : "", outputs));
}

void ClampLog::tell_end() {
  reported_ = false;
  const std::int64_t frames =
      statistics_->clamped_frames.get() - std::exchange(frames_, statistics_->clamped_frames.get());
  const LogFields fields(
      {{"HILD_EVENT", "not_clamped"}, {"HILD_CLAMPED_FRAMES", std::to_string(frames)}});
  logger_->info(
      fmt::format("outputs follow the model again, {} were cut", counted(frames, "frame")));
}

}  // namespace hild::record

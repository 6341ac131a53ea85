// SPDX-License-Identifier: Apache-2.0
#include "recording/record/accuracy_log.hpp"

#include <fmt/format.h>

#include <utility>

#include "recording/record/log_lines.hpp"
#include "recording/record/words.hpp"

namespace hild::record {

AccuracyLog::AccuracyLog(std::shared_ptr<spdlog::logger> logger, const exec::Statistics& statistics,
                         const exec::Accuracy& allowed, std::vector<std::string> states)
    : logger_(std::move(logger)),
      statistics_(&statistics),
      allowed_(allowed),
      states_(std::move(states)) {}

void AccuracyLog::look(MonoTime now) {
  if (statistics_->inaccurate_steps.get() == told_) return;
  if (told_ > 0 && now - last_ < between) return;
  last_ = now;
  tell();
}

void AccuracyLog::finish() {
  if (statistics_->inaccurate_steps.get() != told_) tell();
  logger_->flush();
}

void AccuracyLog::tell() {
  const std::int64_t steps = statistics_->inaccurate_steps.get();
  const std::int64_t news = steps - std::exchange(told_, steps);
  const std::int64_t frame = statistics_->inaccurate_frame.get();
  const auto state = static_cast<std::size_t>(statistics_->inaccurate_state.get());
  const double error = 1e-9 * static_cast<double>(statistics_->inaccurate_ppb.get());
  log(*logger_, spdlog::level::warn,
      {{"HILD_EVENT", "inaccurate"}, {"HILD_FRAME", frame}, {"HILD_INACCURATE_STEPS", news}},
      fmt::format(
          "frame {}: the estimated error of {} is {:.2g} of the size of `{}`, accuracy.limit "
          "allows {:g}; take a shorter step or another method (hild advise)",
          frame, news == 1 ? "a step" : fmt::format("{} steps, the last one's,", news), error,
          state < states_.size() ? states_[state] : std::string(), allowed_.limit));
}

}  // namespace hild::record

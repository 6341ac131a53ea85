// SPDX-License-Identifier: Apache-2.0
#include "recording/record/standstill_log.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "recording/record/log_lines.hpp"

namespace hild::record {
namespace {

std::string_view what_follows(const exec::OverrunSettings& s) {
  if (s.policy == exec::OverrunPolicy::stop || s.then == exec::LimitAction::safe_stop) {
    return "the run ends, its outputs take their safe actions";
  }
  return s.then == exec::LimitAction::freeze
             ? "the plant is frozen, its outputs take their safe actions until they are armed"
             : "the outputs take their safe actions until they are armed";
}

exec::Limit last_limit(const exec::Statistics& s) {
  return static_cast<exec::Limit>(s.stood_for.get());
}

}  // namespace

std::string why_it_stood(exec::Limit limit, Duration stood, Duration allowed,
                         const std::string& ending) {
  if (limit == exec::Limit::gone) {
    return ending.empty() ? std::string("the model's process has ended") : ending;
  }
  return fmt::format("{} for {:.3g} s, and overrun.standstill allows {:g} s",
                     limit == exec::Limit::silent ? "the model did not answer" : "no frame began",
                     seconds(stood), seconds(allowed));
}

std::string why_it_stood(const exec::Statistics& statistics, Duration allowed,
                         const std::string& ending) {
  return why_it_stood(last_limit(statistics), Duration{statistics.stood_ns.get()}, allowed, ending);
}

std::string_view to_string(exec::Limit limit) noexcept {
  static constexpr std::array<std::string_view, 4> names{"missed", "standstill", "silent", "gone"};
  return names[static_cast<std::size_t>(limit)];
}

StandstillLog::StandstillLog(std::shared_ptr<spdlog::logger> logger,
                             const exec::Statistics& statistics,
                             const exec::OverrunSettings& settings, Ending ending)
    : logger_(std::move(logger)),
      statistics_(&statistics),
      settings_(settings),
      ending_(std::move(ending)) {}

// The kernel marks the end of a process before it is over with it.
void StandstillLog::look() {
  constexpr int most_looks = 10;
  const bool gone = last_limit(*statistics_) == exec::Limit::gone;
  const bool news = statistics_->standstills.get() != seen_;
  if (news && gone && ending_().empty() && ++waited_ < most_looks) return;
  finish();
}

void StandstillLog::finish() {
  const std::int64_t times = statistics_->standstills.get();
  if (std::exchange(seen_, times) != times) tell();
  if (!silent_ || statistics_->unanswered_since.get() >= 0) return;
  silent_ = false;
  log(*logger_, spdlog::level::info, std::vector<LogField>{{"HILD_EVENT", "answers"}},
      "the model answers again");
}

// Happens rarely and matters most: not limited.
void StandstillLog::tell() {
  const exec::Limit limit = last_limit(*statistics_);
  const std::int64_t frame = statistics_->stood_frame.get();
  silent_ = limit == exec::Limit::silent;
  log(*logger_, spdlog::level::err,
      {{"HILD_EVENT", "standstill"}, {"HILD_LIMIT", to_string(limit)}, {"HILD_FRAME", frame}},
      fmt::format("frame {}: {}: {}", frame,
                  why_it_stood(*statistics_, settings_.standstill, ending_()),
                  what_follows(settings_)));
  logger_->flush();
}

}  // namespace hild::record

// SPDX-License-Identifier: Apache-2.0
#include "recording/record/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hild::record {
namespace {

// What an overrun may be due to: neither waiting nor what follows the record.
constexpr std::array suspects{io::Phase::wake,   io::Phase::device,  io::Phase::commit,
                              io::Phase::passes, io::Phase::workers, io::Phase::events,
                              io::Phase::outputs};

// The three phases that took longest, "device daq 198 us, passes 12 us, wake 3 us".
std::string longest_phases(const io::FrameHeader& h, std::string_view devices) {
  auto order = suspects;
  std::ranges::stable_sort(order, std::greater{}, [&](io::Phase p) { return time_of(h, p); });
  std::string text;
  for (const io::Phase phase : std::span(order).first(3)) {
    if (time_of(h, phase) < 500_ns) break;  // would read "0 us"
    const bool named = phase == io::Phase::device && !devices.empty();
    text += fmt::format("{}{}{}{} {}", text.empty() ? "" : ", ", io::to_string(phase),
                        named ? " " : "", named ? devices : "", in_words(time_of(h, phase)));
  }
  return text;
}

// What of the wake-ups was the tick's; the rest was that of releases within the step.
Duration wake_at_tick(const io::FrameHeader& h) {
  const Duration wake = time_of(h, io::Phase::wake);
  return h.slipped > 0 ? wake : std::clamp(h.start - h.due, Duration{}, std::max(wake, Duration{}));
}

std::string cause_words(const io::FrameHeader& late, std::span<const std::string> models) {
  if (late.cause == io::Cause::worker && late.waited_for < models.size()) {
    return fmt::format("{} ({})", in_words(late.cause), models[late.waited_for]);
  }
  const Duration at_tick = wake_at_tick(late);
  const bool within =
      late.cause == io::Cause::late_wake && time_of(late, io::Phase::wake) - at_tick > at_tick;
  return fmt::format("{}{}", in_words(late.cause), within ? " at a release" : "");
}

}  // namespace

std::string in_words(io::Cause cause) {
  if (cause == io::Cause::carried) return "step before";
  std::string words(io::to_string(cause));
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string in_words(Duration d) {
  const double us = microseconds(d);
  if (us < 1e4) return fmt::format("{:.0f} us", us);
  if (us < 1e7) return fmt::format("{:.1f} ms", us * 1e-3);
  return fmt::format("{:.1f} s", us * 1e-6);
}

std::string behind_number(std::string_view unit) {
  return unit == "1" ? std::string() : fmt::format(" {}", unit);
}

std::string counted(std::int64_t n, std::string_view one) {
  return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s");
}

std::string overrun_line(const io::FrameHeader& late, int next_span,
                         const Circumstances& circumstances) {
  std::string text = fmt::format("frame {}: +{} late, cause {}", late.frame,
                                 in_words(late.lateness), cause_words(late, circumstances.models));
  if (const std::string phases = longest_phases(late, circumstances.devices); !phases.empty()) {
    text += fmt::format(" ({})", phases);
  }
  if (next_span > 1) text += fmt::format("; next step covers {} frames", next_span);
  if (circumstances.utilisation > 0) {
    text += fmt::format("; utilisation before {:.1f} %", 100 * circumstances.utilisation);
  }
  if (late.cause == io::Cause::unknown && !circumstances.evidence) {
    text += fmt::format("; {}", learn_more);
  }
  return text;
}

std::string late_wake_line(const io::FrameHeader& h, Duration late_wake) {
  const Duration at_tick = wake_at_tick(h);
  const Duration within = time_of(h, io::Phase::wake) - at_tick;
  const bool tick = at_tick > late_wake;
  return fmt::format("frame {}: woke {} late{}, in time all the same", h.frame,
                     in_words(tick ? at_tick : within), tick ? "" : " for a release");
}

std::string cap_line(const io::FrameHeader& h, std::span<const std::string> models) {
  static constexpr std::array<std::string_view, io::cap_count> what{
      "more state events than max_events, the rest put off to the next frame",
      "more time events than max_events, the rest put off to the next frame",
      "an event that took too many updates, left as it was",
      "a time event that did not lie ahead, put off by 1 ns",
      "a step that took too many parts, left where it was",
      "no answer from the model's process in time, its last values held",
      "algebraic variables that were not found within the iterations, left where they were",
      "a step in the background that was not done when it was due, its last values held"};
  std::string text = fmt::format("frame {}: ", h.frame);
  std::string_view between;
  for (std::size_t i = 0; i < io::cap_count; ++i) {
    const auto cap = static_cast<io::Cap>(i);
    if (!reached(h, cap)) continue;
    text += fmt::format("{}{} (model's {})", std::exchange(between, "; "), what[i],
                        io::function_of(cap));
  }
  if (const std::string by = cappers(h, models); !by.empty()) text += "; by " + by;
  return text;
}

std::string cappers(const io::FrameHeader& h, std::span<const std::string> models) {
  std::string text;
  for (std::size_t m = 0; m < std::min(models.size(), io::most_cappers); ++m) {
    if ((h.capped_by >> m & 1U) == 0) continue;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", models[m]);
  }
  return text;
}

std::int64_t frames_given_up(const io::FrameHeader& before, const io::FrameHeader& h) noexcept {
  if (before.step + 1 != h.step || before.frozen) return h.slipped;
  // The tick this step was due at is the deadline of the one before, unless the grid moved.
  const Duration moved = h.due - before.deadline;
  const Duration period = (h.deadline - h.due) / h.span;
  if (period.ns <= 0) return h.slipped;
  return std::max<std::int64_t>(h.slipped, (moved + period / 2).ns / period.ns);
}

}  // namespace hild::record

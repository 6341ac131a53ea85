// SPDX-License-Identifier: Apache-2.0
#include "recording/record/loss_log.hpp"

#include <fmt/format.h>

#include <utility>

#include "recording/record/words.hpp"

namespace hild::record {
namespace {

std::string what_stands_in(const LosableInput& input) {
  const io::OnLoss then = input.rule.then;
  if (then == io::OnLoss::safe_stop) return "the run ends";
  if (then == io::OnLoss::hold) return "its last value stands";
  if (then == io::OnLoss::carry_on) return "it is carried on";
  if (then == io::OnLoss::disarm) return "its last value stands, and outputs are disarmed";
  return fmt::format("{:g}{} stands in for it", input.rule.substitute, behind_number(input.unit));
}

}  // namespace

std::string why_lost(const LosableInput& input, Duration age) {
  return fmt::format(
      "input `{}` of device {}: its newest image is {:.3f} ms old, more than max_latency {:.3f} ms",
      input.name, input.device, microseconds(age) / 1000,
      microseconds(input.rule.max_latency) / 1000);
}

LossLog::LossLog(std::shared_ptr<spdlog::logger> logger, std::vector<LosableInput> inputs,
                 Look lost)
    : logger_(std::move(logger)),
      inputs_(std::move(inputs)),
      lost_(std::move(lost)),
      since_(inputs_.size(), -1) {}

void LossLog::look(MonoTime now) {
  if (limit_.over(now)) sum_up(now);
  std::vector<std::int64_t> since(inputs_.size(), -1);
  for (const exec::LostInputs::Lost& lost : lost_()) since[lost.input] = lost.since;
  for (std::size_t i = 0; i < since.size(); ++i) {
    if (std::exchange(since_[i], since[i]) != since[i]) tell(now, i, since[i]);
  }
}

void LossLog::finish(MonoTime now) {
  look(now);
  sum_up(now);
  logger_->flush();
}

void LossLog::tell(MonoTime now, std::size_t input, std::int64_t since) {
  if (!limit_.admit(now)) return;
  const LosableInput& of = inputs_[input];
  const bool lost = since >= 0;
  log(*logger_, lost ? spdlog::level::warn : spdlog::level::info,
      {{"HILD_EVENT", lost ? "input_lost" : "input_back"},
       {"HILD_INPUT", of.name},
       {"HILD_FRAME", since}},
      lost ? fmt::format("frame {}: input `{}` of device {} is lost: its newest image is older "
                         "than max_latency {:.3f} ms; {}",
                         since, of.name, of.device, microseconds(of.rule.max_latency) / 1000,
                         what_stands_in(of))
           : fmt::format("input `{}` is back: it has images again", of.name));
}

void LossLog::sum_up(MonoTime now) {
  const std::int64_t times = limit_.close(now);
  if (times == 0) return;
  // Whose line was left out may have been lost for long.
  std::string lost;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (since_[i] >= 0) lost += fmt::format("{}`{}`", lost.empty() ? "" : ", ", inputs_[i].name);
  }
  log(*logger_, spdlog::level::warn, {{"HILD_EVENT", "summary"}, {"HILD_INPUTS_LOST", times}},
      fmt::format("inputs were lost or came back {}; lost now: {}", counted(times, "more time"),
                  lost.empty() ? "none" : lost));
}

}  // namespace hild::record

// SPDX-License-Identifier: Apache-2.0
#include "exec/lost_inputs.hpp"

#include <algorithm>

namespace hild::exec {
namespace {

std::vector<std::size_t> limited(std::span<const io::SampledInput> inputs) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].loss.max_latency.ns > 0) all.push_back(i);
  }
  return all;
}

}  // namespace

LostInputs::LostInputs(std::span<const io::SampledInput> inputs) : since_(limited(inputs).size()) {
  for (const std::size_t i : limited(inputs)) {
    watched_.push_back({i, inputs[i].group, inputs[i].loss});
  }
  for (rt::Counter& since : since_) since.set(-1);
}

LostInputs::News LostInputs::look(io::ImageHistory& images, MonoTime now,
                                  std::int64_t frame) noexcept {
  News news;
  for (std::size_t w = 0; w < watched_.size(); ++w) {
    const Watched& input = watched_[w];
    const Duration age = now - images.newest_time(input.group);
    const bool lost = age > input.rule.max_latency;
    news.disarms = news.disarms || (lost && input.rule.then == io::OnLoss::disarm);
    if (lost == (since_[w].get() >= 0)) continue;
    since_[w].set(lost ? frame : -1);
    news.other = news.other || !lost || input.rule.then != io::OnLoss::carry_on;
    if (!lost) {
      --lost_;
      images.forget(input.group);
      continue;
    }
    ++lost_;
    ++news.lost;
    if (input.rule.then == io::OnLoss::safe_stop && news.fatal < 0) {
      news.fatal = static_cast<int>(input.input);
      news.age = age;
    }
  }
  return news;
}

void LostInputs::replace(const io::ImageHistory& images, std::span<double> u) const noexcept {
  for (std::size_t w = 0; w < watched_.size(); ++w) {
    if (since_[w].get() < 0) continue;
    const Watched& input = watched_[w];
    if (input.rule.then == io::OnLoss::carry_on) continue;
    const bool given = input.rule.then == io::OnLoss::substitute;
    u[input.input] = given ? input.rule.substitute : images.newest()[input.input];
  }
}

void LostInputs::transfer(Archive& archive) noexcept {
  lost_ = 0;
  for (rt::Counter& since : since_) {
    std::int64_t frame = since.get();
    archive.number(frame, -1, INT64_MAX, "the frame since which an input is lost");
    since.set(frame);
    lost_ += frame >= 0 ? 1 : 0;
  }
}

std::vector<LostInputs::Lost> LostInputs::at_present() const {
  std::vector<Lost> all;
  for (std::size_t w = 0; w < watched_.size(); ++w) {
    if (const std::int64_t since = since_[w].get(); since >= 0) {
      all.push_back({watched_[w].input, since, watched_[w].rule.then == io::OnLoss::disarm});
    }
  }
  return all;
}

bool LostInputs::may_disarm() const noexcept {
  return std::ranges::any_of(
      watched_, [](const Watched& input) { return input.rule.then == io::OnLoss::disarm; });
}

}  // namespace hild::exec

// SPDX-License-Identifier: Apache-2.0
#include "drivers/dds/inbox.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace hild::dds {
namespace {

// A gap that is longer is no gap: who wrote that number did not count to it.
constexpr std::uint64_t longest_gap = 1'000'000'000;

std::string list_of(std::span<const SignalName> signals) {
  constexpr std::size_t most = 8;
  std::string words;
  for (std::size_t i = 0; i < std::min(signals.size(), most); ++i) {
    words += fmt::format("{}{} ({})", i == 0 ? "" : ", ", signals[i].name.view(),
                         signals[i].unit.view());
  }
  if (signals.size() > most) words += fmt::format(" and {} more", signals.size() - most);
  return words.empty() ? "nothing" : words;
}

void append_problem(std::string& words, const std::string& what) {
  words += (words.empty() ? "" : "; ") + what;
}

}  // namespace

// FNV-1a, of 64 bits.
std::uint64_t plan_number(std::span<const SignalName> signals) noexcept {
  std::uint64_t hash = 0xcbf2'9ce4'8422'2325;
  const auto add = [&hash](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01b3;
    hash = (hash ^ 0xffU) * 0x100'0000'01b3;  // behind each text
  };
  for (const SignalName& s : signals) {
    add(s.name.view());
    add(s.unit.view());
  }
  return hash;
}

Inbox::Inbox(NodeInputs wanted, const TwoImages& images, GatewayCounts& counts)
    : wanted_(std::move(wanted)),
      images_(images),
      counts_(&counts),
      incoming_(wanted_.signals.size()) {}

std::string Inbox::take_plan(PeerPlan plan, std::uint64_t writer, std::int64_t utc_behind_tai) {
  if (run_ && plan.run < run_->run) counts_->wrong_run.add();
  return keep(std::move(plan), writer) ? follow_latest(utc_behind_tai) : std::string();
}

std::string Inbox::lose_writer(std::uint64_t writer, std::int64_t utc_behind_tai) {
  std::erase_if(told_, [writer](const Told& one) { return one.writer == writer; });
  return follow_latest(utc_behind_tai);
}

// False: so many tell plans of this node that there is no room for an early one.
bool Inbox::keep(PeerPlan plan, std::uint64_t writer) {
  auto place = std::ranges::find(told_, writer, &Told::writer);
  if (place == told_.end() && told_.size() < most_plans) {
    told_.push_back({writer, std::move(plan)});
    return true;
  }
  if (place == told_.end()) {
    place = std::ranges::min_element(told_, {}, [](const Told& one) { return one.plan.run; });
    if (place->plan.run > plan.run) return false;
  }
  *place = {writer, std::move(plan)};
  return true;
}

std::string Inbox::follow_latest(std::int64_t utc_behind_tai) {
  if (told_.empty()) {
    run_.reset();
    return {};
  }
  const auto latest =
      std::ranges::max_element(told_, {}, [](const Told& one) { return one.plan.run; });
  return follow(latest->plan, utc_behind_tai);
}

std::string Inbox::follow(const PeerPlan& plan, std::int64_t utc_behind_tai) {
  const bool known = run_ && plan.run == run_->run && plan.plan == run_->plan;
  if (known && plan.utc_behind_tai == run_->utc_behind_tai) return {};  // once more
  run_ = Run{plan.run, plan.plan, plan.utc_behind_tai, plan.signals.size(), {}, {}};
  std::string words = find_sources(plan, run_->sources);
  if (!words.empty()) {
    run_->sources.clear();
  } else if (plan.utc_behind_tai != utc_behind_tai) {
    words = fmt::format(
        "node {} takes UTC to be {} s behind TAI, and this machine {} s, so that nothing is known "
        "of the age of what it sends, which is not taken; tell both kernels alike (`hild doctor`, "
        "tai_offset, says how)",
        node(), plan.utc_behind_tai, utc_behind_tai);
  }
  if (!words.empty()) counts_->unmatched.add();
  return words;
}

// All that does not fit is told at once.
std::string Inbox::find_sources(const PeerPlan& plan, std::vector<Source>& sources) const {
  std::string words;
  for (const SignalName& wanted : wanted_.signals) {
    const auto found = std::ranges::find_if(
        plan.signals, [&](const SignalName& s) { return s.name == wanted.name.view(); });
    if (found == plan.signals.end()) {
      append_problem(words, fmt::format("node {} sends no signal {}; it sends {}", node(),
                                        wanted.name.view(), list_of(plan.signals)));
      continue;
    }
    const auto unit = unit_conversion(found->unit.view(), wanted.unit.view());
    if (!unit) {
      append_problem(
          words, fmt::format("node {} sends the signal {} in {}, and {} was expected: {}", node(),
                             wanted.name.view(), found->unit.view(), wanted.unit.view(),
                             unit.error().message));
      continue;
    }
    sources.push_back({static_cast<std::size_t>(found - plan.signals.begin()), *unit});
  }
  return words;
}

void Inbox::take_sample(const PeerSample& sample, const Arrival& at) {
  if (!run_ || sample.run > run_->run) return counts_->early.add();
  if (sample.run != run_->run || sample.plan != run_->plan) return counts_->wrong_run.add();
  if (sample.values.size() != run_->values) return counts_->wrong_length.add();
  counts_->received.add();
  if (run_->utc_behind_tai != at.utc_behind_tai) return counts_->unmatched.add();
  if (!in_order(sample.number) || run_->sources.size() != wanted_.signals.size()) return;
  for (std::size_t i = 0; i < run_->sources.size(); ++i) {
    const Source& from = run_->sources[i];
    const double value = from.unit.factor * sample.values[from.index] + from.unit.offset;
    if (!std::isfinite(value)) return counts_->not_finite.add();
    incoming_[i] = value;
  }
  MonoTime made = at.now;
  if (__builtin_sub_overflow(sample.origin, at.tai_ahead.ns, &made.ns) || made > at.now) {
    counts_->future.add();
    made = at.now;
  }
  images_.write(std::array{as_word(static_cast<std::int64_t>(sample.number)), as_word(made.ns)},
                incoming_);
}

// Where it is not the newest it is not taken; the same once more is no reason to complain.
bool Inbox::in_order(std::uint64_t number) {
  std::optional<std::uint64_t>& newest = run_->newest;
  if (newest && number <= *newest) {
    if (number < *newest) counts_->reordered.add();
    return false;
  }
  if (newest) {
    const std::uint64_t missing = std::min(number - *newest - 1, longest_gap);
    counts_->lost.add(static_cast<std::int64_t>(missing));
  }
  newest = number;
  return true;
}

}  // namespace hild::dds

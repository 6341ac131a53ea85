// SPDX-License-Identifier: Apache-2.0
#include "offline/replay/difference.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/archive_sections.hpp"

namespace hild::replay {
namespace {

std::array<double, step_facts.size()> facts_of(const io::FrameHeader& h) {
  return {static_cast<double>(h.frame),
          static_cast<double>(h.span),
          static_cast<double>(h.slipped),
          static_cast<double>(h.passes),
          static_cast<double>(h.state_events),
          static_cast<double>(h.external_events),
          h.frozen ? 1.0 : 0.0,
          h.starter ? 1.0 : 0.0,
          h.early ? 1.0 : 0.0,
          static_cast<double>(h.alarms),
          static_cast<double>(h.alarms_open)};
}

bool same(double a, double b, double tolerance) {
  if (std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b)) return true;
  return std::abs(a - b) <= tolerance * std::max({std::abs(a), std::abs(b), 1.0});
}

}  // namespace

std::vector<StateDifference> compare(const exec::Keyframe& recorded,
                                     std::span<const std::byte> replayed) {
  std::vector<StateDifference> differences;
  const auto was = sections_of(recorded.state);
  for (const ArchiveSection& is : sections_of(replayed)) {
    const auto same = std::ranges::find(was, is.name, &ArchiveSection::name);
    const std::span<const std::byte> before =
        same == was.end() ? std::span<const std::byte>{} : same->bytes;
    const auto at = std::ranges::mismatch(before, is.bytes).in1 - before.begin();
    if (same != was.end() && std::ranges::equal(before, is.bytes)) continue;
    differences.push_back({recorded.head.step, recorded.head.frame, std::string(is.name),
                           static_cast<std::size_t>(at)});
  }
  return differences;
}

void Differences::add(const Difference& d, bool new_step) {
  if (!first) first = d;
  if (new_step) ++differing_steps;
  const auto widen = [&](double& worst) {
    const double distance = std::abs(d.replayed - d.recorded);
    worst =
        std::isnan(distance) ? std::numeric_limits<double>::infinity() : std::max(worst, distance);
  };
  if (d.of == Difference::Of::state) widen(worst_states[d.index]);
  if (d.of == Difference::Of::output) widen(worst_outputs[d.index]);
}

void compare(const io::FrameView& was, const io::FrameView& is, double tolerance,
             const std::function<void(const Difference&)>& tell) {
  Difference d{.step = was.header().step, .frame = was.header().frame};
  const auto values = [&](Difference::Of of, std::span<const double> a, std::span<const double> b) {
    d.of = of;
    for (d.index = 0; d.index < a.size(); ++d.index) {
      if (same(a[d.index], b[d.index], tolerance)) continue;
      d.recorded = a[d.index];
      d.replayed = b[d.index];
      tell(d);
    }
  };
  values(Difference::Of::step, facts_of(was.header()), facts_of(is.header()));
  for (d.pass = 0; d.pass < std::min(was.passes(), is.passes()); ++d.pass) {
    values(Difference::Of::input, was.inputs(d.pass), is.inputs(d.pass));
  }
  d.pass = 0;
  values(Difference::Of::state, was.states(), is.states());
  values(Difference::Of::output, was.outputs(), is.outputs());
}

}  // namespace hild::replay

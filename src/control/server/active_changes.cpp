// SPDX-License-Identifier: Apache-2.0
#include "control/server/active_changes.hpp"

#include <fmt/format.h>

#include <vector>

#include "control/rpc/message.hpp"
#include "core/decimal.hpp"

namespace hild::server {
void ActiveChanges::apply(const exec::Change& change, std::int64_t frame, SimTime time) {
  if (const auto* c = std::get_if<exec::Override>(&change)) {
    faults_[{c->side, c->signal}][c->kind] = {c->value, exec::end_of(frame, c->frames)};
  } else if (const auto* r = std::get_if<exec::ReleaseOverride>(&change)) {
    faults_.erase({r->side, r->signal});
  } else if (const auto* s = std::get_if<exec::Stimulus>(&change)) {
    stimuli_[s->input] = {*s, time};
  } else if (const auto* q = std::get_if<exec::StopStimulus>(&change)) {
    stimuli_.erase(q->input);
  } else if (const auto* i = std::get_if<exec::InjectFault>(&change)) {
    injected_[i->fault] = {i->value, exec::end_of(frame, i->frames)};
  } else if (const auto* e = std::get_if<exec::ClearFault>(&change)) {
    injected_.erase(e->fault);
  }
}

json::array ActiveChanges::injected(const Names& names, std::int64_t frame) const {
  json::array all;
  for (const auto& [index, fault] : injected_) {
    if (fault.over(frame)) continue;
    const Place place{Kind::device_fault, index};
    json::object entry{{"fault", names.name(place)}};
    if (!names.unit(place).empty()) entry["value"] = rpc::number(fault.value);
    if (fault.ends()) entry["until_frame"] = fault.until;
    all.push_back(std::move(entry));
  }
  return all;
}

json::array ActiveChanges::overrides(const Names& names, std::int64_t frame) const {
  json::array all;
  for (const auto& [signal, kinds_of_it] : faults_) {
    const Place place{signal.side == exec::Side::input ? Kind::input : Kind::output, signal.index};
    for (const auto& [kind, fault] : kinds_of_it) {
      if (fault.over(frame)) continue;
      json::object entry{{"signal", names.shortest(place)},
                         {"kind", exec::fault_kind(kind).word.name}};
      if (exec::fault_kind(kind).takes_value) entry["value"] = rpc::number(fault.value);
      if (fault.ends()) entry["until_frame"] = fault.until;
      all.push_back(std::move(entry));
    }
  }
  return all;
}

json::array ActiveChanges::stimuli(const Names& names, SimTime now) const {
  json::array all;
  for (const auto& [input, active] : stimuli_) {
    if (active.over(now)) continue;
    json::object entry{{"input", names.shortest({Kind::input, input})},
                       {"shape", active.shape()},
                       {"replace", active.what.replace},
                       {"since_s", in_seconds(active.start)}};
    const Duration lasts = active.what.duration;
    if (lasts.ns > 0) entry["until_s"] = in_seconds(active.start + lasts);
    all.push_back(std::move(entry));
  }
  return all;
}

std::string ActiveChanges::words(Place place, std::int64_t frame, SimTime now) const {
  const auto index = static_cast<std::uint32_t>(place.index);
  const bool input = place.kind == Kind::input;
  std::vector<std::string> all;
  const auto faults = faults_.find({input ? exec::Side::input : exec::Side::output, index});
  if (faults != faults_.end()) {
    for (const auto& [kind, fault] : faults->second) {
      if (!fault.over(frame))
        all.push_back(fmt::format("fault {}", exec::fault_kind(kind).word.name));
    }
  }
  const auto stimulus = input ? stimuli_.find(index) : stimuli_.end();
  if (stimulus != stimuli_.end() && !stimulus->second.over(now)) {
    all.push_back(fmt::format("stimulus {}", stimulus->second.shape()));
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace hild::server

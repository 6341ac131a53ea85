// SPDX-License-Identifier: Apache-2.0
#include "control/server/active_changes.hpp"

#include "control/rpc/message.hpp"
#include "core/decimal.hpp"

namespace hild::server {
void ActiveChanges::apply(const exec::Change& change, std::int64_t frame, SimTime time) {
  if (const auto* c = std::get_if<exec::Override>(&change)) {
    faults_[{c->side, c->signal}][c->kind] = {c->value, c->frames > 0 ? frame + c->frames : 0};
  } else if (const auto* r = std::get_if<exec::ReleaseOverride>(&change)) {
    faults_.erase({r->side, r->signal});
  } else if (const auto* s = std::get_if<exec::Stimulus>(&change)) {
    stimuli_[s->input] = {*s, time};
  } else if (const auto* q = std::get_if<exec::StopStimulus>(&change)) {
    stimuli_.erase(q->input);
  }
}

json::array ActiveChanges::overrides(const Names& names, std::int64_t frame) const {
  json::array all;
  for (const auto& [signal, kinds_of_it] : faults_) {
    const Place place{signal.side == exec::Side::input ? Kind::input : Kind::output, signal.index};
    for (const auto& [kind, fault] : kinds_of_it) {
      if (fault.until > 0 && fault.until <= frame) continue;
      json::object entry{{"signal", names.shortest(place)},
                         {"kind", exec::fault_kind(kind).word.name}};
      if (exec::fault_kind(kind).takes_value) entry["value"] = rpc::number(fault.value);
      if (fault.until > 0) entry["until_frame"] = fault.until;
      all.push_back(std::move(entry));
    }
  }
  return all;
}

json::array ActiveChanges::stimuli(const Names& names, SimTime now) const {
  json::array all;
  for (const auto& [input, active] : stimuli_) {
    const exec::Stimulus& s = active.what;
    const bool ends = s.duration.ns > 0;
    if (ends && now - active.start >= s.duration) continue;
    json::object entry{{"input", names.shortest({Kind::input, input})},
                       {"shape", exec::shape_words[static_cast<std::size_t>(s.shape)].name},
                       {"replace", s.replace},
                       {"since_s", in_seconds(active.start)}};
    if (ends) entry["until_s"] = in_seconds(active.start + s.duration);
    all.push_back(std::move(entry));
  }
  return all;
}

}  // namespace hild::server

// SPDX-License-Identifier: Apache-2.0
#include "control/server/names.hpp"

#include <algorithm>

#include "config/near_names.hpp"
#include "control/server/params.hpp"
#include "control/server/refused.hpp"
#include "core/joined.hpp"
#include "exec/field.hpp"

namespace hild::server {
namespace {

/// "an input or an output".
std::string one_of(std::span<const Kind> among) {
  std::string text;
  for (const Kind k : among) {
    const bool vowel = k == Kind::input || k == Kind::output || k == Kind::alarm;
    const std::string_view what = k == Kind::device_fault ? "fault of a device" : to_string(k);
    text += fmt::format("{}{} {}", text.empty() ? "" : " or ", vowel ? "an" : "a", what);
  }
  return text;
}

std::string prefixed(Kind k, std::string_view name) {
  return fmt::format("{}:{}", to_string(k), name);
}

}  // namespace

std::string_view to_string(Kind k) noexcept {
  return k == Kind::state ? "state" : exec::to_string(static_cast<exec::Target>(k));
}

Names::Names(const model::Description& description, std::span<const io::DeviceFault> faults,
             std::span<const config::Alarm> alarms) {
  const auto add = [this](Kind k, const auto& things) {
    for (const auto& t : things) entries_[static_cast<std::size_t>(k)].push_back({t.name, t.unit});
  };
  add(Kind::input, description.inputs);
  add(Kind::output, description.outputs);
  add(Kind::state, description.states);
  add(Kind::parameter, description.parameters);
  add(Kind::device_fault, faults);
  add(Kind::alarm, alarms);
}

std::vector<Place> Names::all(Kind k) const {
  std::vector<Place> places;
  for (std::size_t i = 0; i < size(k); ++i) places.push_back({k, i});
  return places;
}

std::vector<Place> Names::matches(std::string_view name, std::span<const Kind> among) const {
  std::vector<Place> found;
  for (const Kind k : among) {
    const auto it = std::ranges::find(of(k), name, &Named::name);
    if (it != of(k).end()) found.push_back({k, static_cast<std::size_t>(it - of(k).begin())});
  }
  return found;
}

Place Names::find(std::string_view name, std::span<const Kind> among,
                  std::string_view called) const {
  auto places = matches(name, among);
  for (const Kind k : among) {
    const std::string prefix = prefixed(k, "");
    if (!places.empty() || !name.starts_with(prefix)) continue;
    places = matches(name.substr(prefix.size()), std::span(&k, 1));
  }
  if (places.size() == 1) return places.front();
  if (places.empty()) {
    refuse(rpc::Code::invalid_params, "{}: found {}, expected {} ({})", called,
           found(json::value(name)), one_of(among), suggestions(name, among));
  }
  const auto quoted = [&](Place p) { return fmt::format("\"{}\"", prefixed(p.kind, name)); };
  refuse(rpc::Code::invalid_params, "{}: \"{}\" may be one of several, expected {}", called, name,
         joined(places, " or ", quoted));
}

std::string Names::suggestions(std::string_view name, std::span<const Kind> among) const {
  constexpr std::size_t few = 12;
  std::vector<std::string_view> known;
  for (const Kind k : among) {
    const std::string prefix = prefixed(k, "");
    if (name.starts_with(prefix)) return suggestions(name.substr(prefix.size()), std::span(&k, 1));
    for (const Named& e : of(k)) known.push_back(e.name);
  }
  const bool any_near = std::ranges::any_of(known, [&](auto k) { return config::near(name, k); });
  return any_near || known.size() <= few ? config::suggest(name, known) : "the method list has all";
}

std::string Names::shortest(Place p) const {
  const bool alone = matches(name(p), all_kinds).size() == 1;
  return alone ? std::string(name(p)) : prefixed(p.kind, name(p));
}

}  // namespace hild::server

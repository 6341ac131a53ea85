// SPDX-License-Identifier: Apache-2.0
#include "control/sequence/names.hpp"

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "config/near_names.hpp"
#include "exec/field.hpp"

namespace hild::sequence {
namespace {

namespace json = boost::json;

constexpr std::array<const char*, 7> sections{"parameters", "inputs", "outputs",  "device_faults",
                                              "alarms",     "states", "recorders"};

std::string text_of(const json::object& entry, std::string_view key) {
  const json::value* value = entry.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

/// "an input or a state".
std::string one_of(const std::vector<Kind>& kinds) {
  std::string text;
  for (const Kind k : kinds) {
    const bool vowel = k == Kind::input || k == Kind::output || k == Kind::alarm;
    const std::string_view what = k == Kind::device_fault ? "fault of a device" : to_string(k);
    text += fmt::format("{}{} {}", text.empty() ? "" : " or ", vowel ? "an" : "a", what);
  }
  return text;
}

}  // namespace

std::string_view to_string(Kind kind) noexcept {
  if (kind == Kind::state) return "state";
  if (kind == Kind::recorder) return "recorder";
  return exec::to_string(static_cast<exec::Target>(kind));
}

Result<Names> Names::from_list(const json::value& list) {
  std::vector<Named> all;
  for (std::size_t k = 0; k < sections.size(); ++k) {
    const json::value* section =
        list.is_object() ? list.get_object().if_contains(sections[k]) : nullptr;
    if (section == nullptr || !section->is_array()) {
      return fail(ExitCode::fault, "the daemon's `list` has no {}: is it another version?",
                  sections[k]);
    }
    for (const json::value& entry : section->get_array()) {
      if (!entry.is_object()) continue;
      std::string unit = text_of(entry.get_object(), "unit");
      all.push_back({static_cast<Kind>(k), text_of(entry.get_object(), "name"),
                     unit.empty() ? "1" : std::move(unit)});
    }
  }
  return Names(std::move(all));
}

Result<const Named*> Names::find(std::string_view name, const std::vector<Kind>& kinds) const {
  std::string_view bare = name;
  std::string_view prefix;
  if (const auto colon = name.find(':'); colon != std::string_view::npos) {
    prefix = name.substr(0, colon);
    bare.remove_prefix(colon + 1);
  }
  std::vector<std::string_view> known;
  std::vector<const Named*> found;
  for (const Named& one : all_) {
    if (std::ranges::find(kinds, one.kind) == kinds.end()) continue;
    known.push_back(one.name);
    const bool meant =
        one.name == name || (one.name == bare && (prefix.empty() || prefix == to_string(one.kind)));
    if (meant) found.push_back(&one);
  }
  if (found.size() == 1) return found.front();
  if (found.size() > 1) {
    return fail("\"{0}\" may be one of several, expected \"{1}:{0}\" or \"{2}:{0}\"", name,
                to_string(found[0]->kind), to_string(found[1]->kind));
  }
  return fail("found \"{}\", expected the name of {} ({})", name, one_of(kinds),
              config::suggest(bare, known));
}

}  // namespace hild::sequence

// SPDX-License-Identifier: Apache-2.0
#include "control/server/roles.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value_from.hpp>
#include <variant>

#include "control/server/method.hpp"

namespace hild::server {
namespace {

// What makes a run safe nobody is kept from.
constexpr std::array<std::string_view, 3> of_everybody{"disarm", "freeze", "stop"};

bool makes_safe(std::string_view method) {
  return std::ranges::find(of_everybody, method) != of_everybody.end();
}

// Who may do the one may undo it.
std::string_view right_for(std::string_view method) {
  if (method == "give") return "take";
  if (method == "unrecord") return "record";
  if (method == "discard") return "arrange";
  if (method == "cease") return "begin";
  return method;
}

// What a change addresses by name, from what it shows of itself.
struct Addressed {
  std::vector<Place> places{};

  static bool has(bool belongs) { return belongs; }
  void target(const exec::Field& /*f*/, exec::Target t, std::uint32_t& index) {
    places.push_back({static_cast<Kind>(t), index});
  }
  void signal(const exec::Field& /*f*/, exec::Side& side, std::uint32_t& index) {
    places.push_back({side == exec::Side::input ? Kind::input : Kind::output, index});
  }
  void setting(const exec::Field& /*f*/, exec::Target t, std::uint32_t& index, double& /*value*/) {
    places.push_back({static_cast<Kind>(t), index});
  }
  template <class... Any>
  void choice(const exec::Field& /*f*/, Any&&... /*of it*/) {}
  void number(const exec::Field& /*f*/, double& /*value*/, const exec::Quantity& /*q*/) {}
  void scaled(const exec::Field& /*f*/, double& /*amplitude*/, const exec::Field& /*of*/,
              exec::PlaybackTable& /*table*/) {}
  template <class T>
  void whole(const exec::Field& /*f*/, T& /*value*/, const exec::Whole& /*w*/) {}
  void flag(const exec::Field& /*f*/, bool& /*value*/) {}
  void time(const exec::Field& /*f*/, Duration& /*value*/, bool /*required*/) {}
  void frames(const exec::Field& /*f*/, std::int64_t& /*value*/) {}
  template <class C>
  void part() {}  // of a kind of its own
};

std::vector<Place> addressed_by(const exec::Change& change) {
  Addressed addressed;
  std::visit([&]<class C>(C copy) { C::fields(addressed, copy); }, change);
  return addressed.places;
}

// Of a set the parameters, of an acknowledgement the alarms, of others whatever may be meant there.
std::span<const Kind> kinds_meant(std::string_view method) {
  static constexpr std::array<Kind, 5> anything{Kind::parameter, Kind::input, Kind::output,
                                                Kind::device_fault, Kind::alarm};
  const std::span<const Kind> all(anything);
  if (method == "set") return all.first(1);
  return method == exec::Acknowledge::schema.name ? all.last(1) : all.subspan(1, 3);
}

}  // namespace

Result<void> Roles::open() {
  rights_.clear();
  for (const config::Role& role : roles_) {
    std::vector<Right>& rights = rights_.emplace_back();
    for (const config::Role::Right& right : role.may) {
      Right& found = rights.emplace_back(Right{right.method});
      if (right.method == "begin") {
        found.sequences = right.names;
        continue;
      }
      const std::span<const Kind> among = kinds_meant(right.method);
      for (const std::string& name : right.names) {
        try {
          found.places.push_back(names_.find(
              name, among, fmt::format("control.roles.{}.may.{}", role.name, right.method)));
        } catch (const Refused& refused) {
          return fail("{}", refused.error.message);
        }
      }
    }
  }
  return {};
}

// As they are told.
std::vector<std::string> Roles::Right::names(const Names& of_places) const {
  std::vector<std::string> all = sequences;
  for (const Place place : places) all.emplace_back(of_places.name(place));
  return all;
}

const std::vector<Roles::Right>& Roles::rights_of(const std::string& role) const {
  const auto found = std::ranges::find(roles_, role, &config::Role::name);
  return rights_[static_cast<std::size_t>(found - roles_.begin())];
}

void Roles::refuse_role(const std::string& role, std::string_view what) const {
  std::string may;
  for (const Right& right : rights_of(role)) {
    const std::vector<std::string> names = right.names(names_);
    may += fmt::format("{} {}, ", right.method,
                       names.empty() ? "anything" : fmt::format("{}", fmt::join(names, " or ")));
  }
  refuse(rpc::Code::writing_disabled,
         "{}: the role {} may not; it may {}disarm, freeze and stop (control.roles)", what, role,
         may);
}

void Roles::allow(const std::string& role, const Method& method) const {
  if (role.empty() || makes_safe(method.name) || method.name == "transaction") return;
  const auto& rights = rights_of(role);
  if (std::ranges::find(rights, right_for(method.name), &Right::method) == rights.end()) {
    refuse_role(role, method.name);
  }
}

void Roles::allow(const std::string& role, const Changes& changes) const {
  if (role.empty()) return;
  const auto& rights = rights_of(role);
  for (const exec::Change& change : changes.all) {
    const exec::ChangeSchema& schema = exec::change_schemas[change.index()];
    // What outputs a freeze declares is not what makes it safe.
    if (makes_safe(schema.name) && !schema.part) continue;
    const auto right = std::ranges::find(rights, schema.name, &Right::method);
    if (right == rights.end()) refuse_role(role, schema.name);
    if (right->places.empty()) continue;
    for (const Place place : addressed_by(change)) {
      if (std::ranges::find(right->places, place) != right->places.end()) continue;
      refuse_role(role, fmt::format("{} {}", schema.name, names_.name(place)));
    }
  }
}

void Roles::allow_sequence(const std::string& role, const std::string& sequence) const {
  if (role.empty()) return;
  for (const Right& right : rights_of(role)) {
    const auto& its = right.sequences;
    if (right.method != "begin") continue;
    if (its.empty() || std::ranges::find(its, sequence) != its.end()) return;
  }
  refuse_role(role, fmt::format("begin {}", sequence));
}

json::value Roles::told(const std::string& role) const {
  if (role.empty()) return nullptr;
  json::object may;
  for (const Right& right : rights_of(role)) {
    const std::vector<std::string> names = right.names(names_);
    may[right.method] = names.empty() ? json::value("all") : json::value_from(names);
  }
  return may;
}

}  // namespace hild::server

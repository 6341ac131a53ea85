// SPDX-License-Identifier: Apache-2.0
/// The nodes of a system, and what all of them are asked for.
#include <algorithm>
#include <boost/json/array.hpp>

#include "control/server/method.hpp"

namespace hild::server {
namespace {

constexpr std::string_view states_of_rounds[] = {"none", "under_way", "done", "refused"};

nodes::Agreement& agreement_of(const Context& context) {
  if (context.run.nodes != nullptr) return *context.run.nodes;
  refuse(rpc::Code::refused,
         "this run is no node of a system: none of its devices connects it with others "
         "(driver: dds)");
}

json::object said_by(std::string_view node, bool here, bool own, bool member,
                     const io::NodeWords& words) {
  json::object one{{"node", node}, {"here", here}, {"own", own}, {"member", member}};
  // Of one that was never heard, or has ended, nothing is known.
  const auto known = [here](auto value) {
    return here ? json::value(value) : json::value(nullptr);
  };
  one["waits"] = known(words.waits);
  one["armed"] = known(words.armed);
  one["may_arm"] = known(words.may_arm);
  one["frame"] = known(words.frame);
  one["overruns"] = known(words.overruns);
  one["first_tick_tai_ns"] =
      here && words.first_tick != 0 ? json::value(words.first_tick) : json::value(nullptr);
  return one;
}

json::object round_of(const nodes::Agreement& agreement) {
  const nodes::Round& round = agreement.round();
  return {{"state", states_of_rounds[static_cast<std::size_t>(round.state)]},
          {"number", round.number},
          {"words", round.words}};
}

}  // namespace

json::value nodes_of_system(const Context& context, Params& params) {
  params.refuse_unknown();
  if (context.run.nodes == nullptr) {
    return json::object{{"own", nullptr}, {"nodes", json::array()}, {"round", round_of({"", {}})}};
  }
  const nodes::Agreement& agreement = *context.run.nodes;
  const std::vector<Name>& members = agreement.members();
  const auto is_member = [&](std::string_view node) {
    return std::ranges::any_of(members, [&](const Name& member) { return member == node; });
  };
  const std::string_view own = agreement.own();
  json::array all;
  all.push_back(said_by(own, true, true, is_member(own), agreement.words()));
  for (const io::Peer& peer : agreement.peers()) {
    const std::string_view node = peer.node.view();
    all.push_back(said_by(node, peer.here, false, is_member(node), peer.words));
  }
  for (const Name& member : members) {
    const auto heard = [&](const io::Peer& peer) { return peer.node == member.view(); };
    if (member == own || std::ranges::any_of(agreement.peers(), heard)) continue;
    all.push_back(said_by(member.view(), false, false, true, {}));
  }
  return json::object{{"own", own}, {"nodes", std::move(all)}, {"round", round_of(agreement)}};
}

json::value arm_system(const Context& context, Params& params) {
  params.refuse_unknown();
  nodes::Agreement& agreement = agreement_of(context);
  const auto begun = agreement.arm_all(nodes::read_clocks());
  if (!begun) refuse(rpc::Code::refused, "{}", begun.error().message);
  return json::object{{"round", round_of(agreement)}};
}

json::value disarm_system(const Context& context, Params& params) {
  params.refuse_unknown();
  nodes::Agreement& agreement = agreement_of(context);
  context.run.arm(false);
  agreement.disarm_all(nodes::read_clocks());
  return json::object{{"round", round_of(agreement)}};
}

}  // namespace hild::server

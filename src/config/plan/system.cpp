// SPDX-License-Identifier: Apache-2.0
#include "config/plan/system.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <optional>
#include <utility>

#include "config/near_names.hpp"
#include "config/plan/soundness.hpp"
#include "core/json_parts.hpp"
#include "hild/core/units.hpp"
#include "io/nodes_of.hpp"

namespace hild::plan {
namespace {

namespace json = boost::json;

// What a node sends, by the name that others know.
struct Sent {
  const SystemNode* node;
  const io::OutputSignal* output;
  io::Link link;
};

std::vector<Sent> all_sent(const std::vector<SystemNode>& nodes) {
  std::vector<Sent> all;
  for (const SystemNode& node : nodes) {
    for (const io::OutputSignal& output : node.config.outputs) {
      if (output.device < 0) continue;
      const auto& device = *node.config.devices[static_cast<std::size_t>(output.device)].device;
      const auto link = device.link(io::Direction::output, output.slot);
      if (link) all.push_back({&node, &output, *link});
    }
  }
  return all;
}

std::string known_signals(std::string_view signal, const std::vector<const Sent*>& of_node) {
  std::vector<std::string_view> names;
  names.reserve(of_node.size());
  for (const Sent* one : of_node) names.push_back(one->link.signal);
  return config::suggest(signal, names);
}

// Finds who sends what an input gets; else says what is wrong.
const Sent* find_sender(const io::Link& wanted, const std::vector<Sent>& sent,
                        std::string& refusal) {
  std::vector<const Sent*> of_node;
  std::vector<std::string_view> nodes;
  for (const Sent& one : sent) {
    nodes.push_back(one.link.node);
    if (one.link.node == wanted.node) of_node.push_back(&one);
  }
  if (of_node.empty()) {
    refusal = nodes.empty()
                  ? fmt::format("no node of this system sends anything, expected {}", wanted.node)
                  : fmt::format("no node of this system is \"{}\" to others and sends anything, {}",
                                wanted.node, config::suggest(wanted.node, nodes));
    return nullptr;
  }
  const auto found = std::ranges::find_if(
      of_node, [&](const Sent* one) { return one->link.signal == wanted.signal; });
  if (found == of_node.end()) {
    refusal = fmt::format("node {} sends no \"{}\", {}", wanted.node, wanted.signal,
                          known_signals(wanted.signal, of_node));
    return nullptr;
  }
  const Sent& sender = **found;
  if (sender.node != of_node.front()->node) {
    refusal = fmt::format("{} and {} both are node {} to others, expected a name for each",
                          of_node.front()->node->name, sender.node->name, wanted.node);
  } else if (sender.link.domain != wanted.domain || sender.link.system != wanted.system) {
    refusal = fmt::format(
        "{} sends it in system {} of domain {}, and it is expected in system {} "
        "of domain {}: they do not meet",
        sender.node->name, sender.link.system, sender.link.domain, wanted.system, wanted.domain);
  }
  return &sender;
}

// Where both grids stand on TAI and are of one length: how far ticks of the receiver are behind
// those of the sender, for ever.
std::optional<Duration> phase_between(const exec::Settings& sender,
                                      const exec::Settings& receiver) {
  const bool in_phase = sender.align && receiver.align &&
                        sender.grid.numerator() == receiver.grid.numerator() &&
                        sender.grid.denominator() == receiver.grid.denominator();
  if (!in_phase) return {};
  const std::int64_t frame = sender.grid.period().ns;
  const std::int64_t apart = (receiver.align->phase - sender.align->phase).ns % frame;
  return Duration{apart < 0 ? apart + frame : apart};
}

// A sample lives until the next one is used.
Duration oldest_by(std::optional<Duration> phase, Duration frame, Duration min_age) {
  if (!phase) return frame + min_age;
  return phase->ns == 0 || *phase < min_age ? *phase + frame : *phase;
}

// Two samples are kept: one that is older than the frame of who sends may be gone.
void judge_min_age(SystemLink& link, std::optional<Duration> phase, Duration min_age) {
  if (min_age >= link.made_every) {
    link.refusal = fmt::format(
        "`min_age` is {}, and it is made every {}, of which the newest two are kept: expected less",
        short_time(seconds(min_age)), short_time(seconds(link.made_every)));
  } else if (phase && phase->ns == 0 && min_age.ns == 0) {
    link.warning = fmt::format(
        "both have the same ticks, so that chance says whether it is used at once or at the next "
        "one: `min_age: {}` makes it always the next",
        short_time(seconds(link.made_every) / 2));
  }
}

void judge_age(SystemLink& link) {
  if (link.max_latency.ns == 0) {
    link.warning = "without `max_latency` nobody notices when it comes no more";
    return;
  }
  const Duration left = link.max_latency - link.oldest;
  link.may_be_lost = static_cast<int>(std::max<std::int64_t>(0, left.ns / link.made_every.ns));
  if (left.ns <= 0) {
    link.refusal = fmt::format(
        "`max_latency` is {}, and it is up to {} old when it is used: expected "
        "more than that, and what the network takes",
        short_time(seconds(link.max_latency)), short_time(seconds(link.oldest)));
  } else if (link.may_be_lost == 0) {
    link.warning = "one sample that is lost, or one doubled step, is the loss of it";
  }
}

SystemLink link_of(const SystemNode& node, const io::InputSignal& input, const io::Link& wanted,
                   const std::vector<Sent>& sent) {
  SystemLink link;
  link.to = fmt::format("{}.{}", node.name, input.name.view());
  link.from = fmt::format("{}.{}", wanted.node, wanted.signal);
  link.signal = wanted.signal;
  link.max_latency = input.loss.max_latency;
  const Sent* const sender = find_sender(wanted, sent, link.refusal);
  if (sender == nullptr) return link;
  link.from = fmt::format("{}.{}", sender->node->name, sender->output->name.view());
  link.made_every = sender->node->config.settings.grid.period();
  const auto phase = phase_between(sender->node->config.settings, node.config.settings);
  link.oldest = oldest_by(phase, link.made_every, wanted.min_age);
  if (!link.refusal.empty()) return link;
  const auto units =
      unit_conversion(sender->output->channel.value_unit(), input.channel.value_unit());
  if (!units) {
    link.refusal =
        fmt::format("it is sent in {} and expected in {}: {}", sender->output->channel.value_unit(),
                    input.channel.value_unit(), units.error().message);
    return link;
  }
  judge_min_age(link, phase, wanted.min_age);
  if (link.refusal.empty()) judge_age(link);
  return link;
}

// In the order of the alphabet, as all of them have to name the same.
std::string members_of(const SystemNode& node) {
  const io::Nodes* const nodes = io::nodes_of(node.config.devices);
  if (nodes == nullptr) return {};
  std::vector<std::string_view> names;
  names.reserve(nodes->members().size());
  for (const Name& member : nodes->members()) names.push_back(member.view());
  std::ranges::sort(names);
  return fmt::format("{}", fmt::join(names, ", "));
}

// A member that waits for one that is none, or for whom no other waits, waits for ever.
std::string refusal_of_members(const SystemNode& node, const std::vector<SystemNode>& all) {
  const std::string wanted = members_of(node);
  if (wanted.empty()) return {};
  for (const Name& member : io::nodes_of(node.config.devices)->members()) {
    const auto known = std::ranges::find_if(all, [&](const SystemNode& other) {
      const io::Nodes* const nodes = io::nodes_of(other.config.devices);
      return nodes != nullptr && !nodes->members().empty() && member == nodes->own();
    });
    if (known == all.end()) {
      return fmt::format(
          "its `members` name {}, which no node of this system with `members` is to others",
          member.view());
    }
    if (const std::string its = members_of(*known); its != wanted) {
      return fmt::format("its `members` are {}, and those of {} {}: expected the same of all",
                         wanted, known->name, its);
    }
  }
  return {};
}

std::string age_words(const SystemLink& link) {
  if (link.made_every.ns == 0) return "";
  std::string words =
      fmt::format("made every {}, up to {} old", short_time(seconds(link.made_every)),
                  short_time(seconds(link.oldest)));
  if (link.max_latency.ns != 0) {
    words += fmt::format(" of {}", short_time(seconds(link.max_latency)));
    if (link.may_be_lost > 0) words += fmt::format("; {} in a row may be lost", link.may_be_lost);
  }
  return words;
}

}  // namespace

bool SystemPlan::fits() const noexcept {
  const auto can_work = [](const auto& one) { return one.refusal.empty(); };
  return std::ranges::all_of(links, can_work) && std::ranges::all_of(nodes, can_work);
}

SystemPlan plan_system(std::string file, const std::vector<SystemNode>& nodes) {
  SystemPlan plan;
  plan.file = std::move(file);
  const std::vector<Sent> sent = all_sent(nodes);
  for (const SystemNode& node : nodes) {
    const exec::Settings& settings = node.config.settings;
    plan.nodes.push_back({node.name, settings.grid.period(), settings.align.has_value(),
                          members_of(node), refusal_of_members(node, nodes)});
    for (const io::InputSignal& input : node.config.inputs) {
      if (input.device < 0) continue;
      const auto& device = *node.config.devices[static_cast<std::size_t>(input.device)].device;
      const auto wanted = device.link(io::Direction::input, input.slot);
      if (wanted) plan.links.push_back(link_of(node, input, *wanted, sent));
    }
  }
  return plan;
}

std::string to_text(const SystemPlan& plan) {
  std::string out = fmt::format("Plan of the system {}\n\n", plan.file);
  for (const SystemPlan::Node& node : plan.nodes) {
    out += fmt::format("  {:<16} {}: a frame each {}{}\n", "node", node.name,
                       short_time(seconds(node.frame)), node.aligned ? ", in phase with TAI" : "");
    if (!node.members.empty()) {
      out += fmt::format("  {:<16} begins and is armed with {}\n", "", node.members);
    }
    if (!node.refusal.empty()) out += fmt::format("  {:<16} CANNOT WORK: {}\n", "", node.refusal);
  }
  for (const SystemLink& link : plan.links) {
    out += fmt::format("  {:<16} {} -> {}\n", "link", link.from, link.to);
    if (const std::string words = age_words(link); !words.empty()) {
      out += fmt::format("  {:<16} {}\n", "", words);
    }
    if (!link.refusal.empty()) out += fmt::format("  {:<16} CANNOT WORK: {}\n", "", link.refusal);
    if (!link.warning.empty()) out += fmt::format("  {:<16} warning: {}\n", "", link.warning);
  }
  out +=
      "\n  Ages are without what the network takes. `hild check --node NAME` has the plan of a "
      "node.\n";
  out += plan.fits() ? "\n  The system fits.\n" : "\n  The system does NOT fit.\n";
  return out;
}

json::value to_json_value(const SystemPlan& plan) {
  json::object o;
  o["config"] = plan.file;
  o["nodes"] = array_of(plan.nodes, [](const SystemPlan::Node& node) {
    return json::object{{"name", node.name},
                        {"frame_s", seconds(node.frame)},
                        {"aligned", node.aligned},
                        {"members", or_null(node.members)},
                        {"refusal", or_null(node.refusal)}};
  });
  o["links"] = array_of(plan.links, [](const SystemLink& link) {
    return json::object{
        {"from", link.from},
        {"to", link.to},
        {"signal", link.signal},
        {"made_every_s", link.made_every.ns == 0 ? json::value() : seconds(link.made_every)},
        {"oldest_s", link.made_every.ns == 0 ? json::value() : seconds(link.oldest)},
        {"max_latency_s", link.max_latency.ns == 0 ? json::value() : seconds(link.max_latency)},
        {"may_be_lost", link.may_be_lost},
        {"refusal", or_null(link.refusal)},
        {"warning", or_null(link.warning)}};
  });
  o["fits"] = plan.fits();
  return o;
}

}  // namespace hild::plan

// SPDX-License-Identifier: Apache-2.0
#include "drivers/dds_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "drivers/channel_unit.hpp"
#include "drivers/dds/security.hpp"
#include "drivers/udp_address.hpp"

namespace hild::dds {
namespace {

// Ports are 7400 + 250 times the domain, and more.
constexpr std::int64_t last_domain = 230;
constexpr io::Interval every_number{std::numeric_limits<double>::lowest(),
                                    std::numeric_limits<double>::max()};

bool of_a_name(char c) noexcept {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' || c == '/';
}

/// Of a node, a system, a signal: others have to write it too, and DDS knows patterns of
/// partitions.
Name read_name(io::Options& options, std::string_view key) {
  const std::string_view name = options.text(key);
  if (name.empty() || name.size() > Name::capacity || !std::ranges::all_of(name, of_a_name)) {
    options.reject(key, fmt::format("found \"{}\", expected a name of 1 to {} letters, digits, and "
                                    "of _ - . /",
                                    name, Name::capacity));
  }
  return name;
}

Name read_interface_name(io::Options& options) {
  const std::string_view name = options.text("interface", "lo");
  const bool plain = std::ranges::all_of(name, [](char c) { return of_a_name(c) && c != '/'; });
  if (name.empty() || name.size() > 15 || !plain) {
    options.reject("interface",
                   fmt::format("found \"{}\", expected the name of a network interface, of at most "
                               "15 characters (`ip -br link` lists them)",
                               name));
  }
  return name;
}

/// Calls `take` with each word of "motor, load".
template <class Take>
void each_word(std::string_view list, Take take) {
  while (!list.empty()) {
    const std::string_view one = list.substr(0, list.find_first_of(", "));
    list.remove_prefix(std::min(list.size(), one.size() + 1));
    if (!one.empty()) take(one);
  }
}

std::vector<Name> read_peers(io::Options& options) {
  std::vector<Name> peers;
  if (!options.has("peers")) return peers;
  each_word(options.text("peers"), [&](std::string_view one) {
    const auto address = udp::parse_address(one, udp::Without::port);
    if (!address) options.reject("peers", address.error().message);
    if (address->port() != 0) {
      options.reject("peers", fmt::format("found {}, expected an address without a port: DDS has "
                                          "those of the domain",
                                          one));
    }
    peers.push_back(address->words());
  });
  if (peers.empty() || peers.size() > most_nodes) {
    options.reject("peers", fmt::format("found {} addresses, expected 1 to {}: \"10.0.0.2, "
                                        "10.0.0.3\"",
                                        peers.size(), most_nodes));
  }
  return peers;
}

bool among(const std::vector<SignalName>& signals, const Name& name) {
  return std::ranges::any_of(signals, [&](const SignalName& s) { return s.name == name.view(); });
}

// With this node among them, in no order.
std::vector<Name> read_members(io::Options& options, const Name& own) {
  std::vector<Name> members;
  if (!options.has("members")) return members;
  const auto reject = [&](const auto& found) {
    options.reject("members", fmt::format("found {}, expected names of nodes, each once, {} among "
                                          "them: \"motor, load\"",
                                          found, own.view()));
  };
  each_word(options.text("members"), [&](std::string_view one) {
    if (one.size() > Name::capacity || !std::ranges::all_of(one, of_a_name)) {
      reject(fmt::format("\"{}\"", one));
    }
    const bool twice = std::ranges::any_of(members, [&](const Name& m) { return m == one; });
    if (twice) reject(fmt::format("{} twice", one));
    members.emplace_back(one);
  });
  if (std::ranges::none_of(members, [&](const Name& m) { return m == own.view(); })) {
    reject(fmt::format("{} names without it", members.size()));
  }
  if (members.size() < 2 || members.size() > most_nodes) {
    options.reject("members",
                   fmt::format("found {} names, expected 2 to {}", members.size(), most_nodes));
  }
  return members;
}

}  // namespace

Settings read_settings(std::string_view device, io::Options& options) {
  Settings settings;
  GatewayTask& task = settings.task;
  task.device = device;
  task.domain = static_cast<int>(options.integer("domain", 1, last_domain));
  task.interface = read_interface_name(options);
  task.peers = read_peers(options);
  task.system = read_name(options, "system");
  task.node = read_name(options, "node");
  settings.members = read_members(options, task.node);
  if (options.has("security")) task.security = whole_path(options.path("security"));
  settings.min_age = options.duration("min_age", Duration{});
  task.priority = static_cast<int>(options.integer("priority", 0, 98, 0));
  settings.needs_gateway = options.choice("gateway_loss", {"age", "fail"}, 0) == 1;
  return settings;
}

InputKeys read_input(io::Options& entry, const GatewayTask& task) {
  InputKeys keys;
  keys.node = read_name(entry, "node");
  if (keys.node == task.node.view()) {
    entry.reject("node",
                 fmt::format("found {}, which is this node (`node` of the device), expected "
                             "another one",
                             keys.node.view()));
  }
  keys.signal.name = read_name(entry, "signal");
  keys.signal.unit = read_channel_unit(entry);
  keys.held = entry.boolean("held", false);
  keys.start = entry.number("start", keys.signal.unit.view(), 0.0, every_number);
  std::size_t values = 0;
  for (const NodeInputs& one : task.inputs) {
    values += one.signals.size();
    if (one.node == keys.node.view() && among(one.signals, keys.signal.name)) {
      entry.reject("signal", fmt::format("found {} of node {} a second time, expected each signal "
                                         "at one input",
                                         keys.signal.name.view(), keys.node.view()));
    }
  }
  const bool known = std::ranges::any_of(
      task.inputs, [&](const NodeInputs& one) { return one.node == keys.node.view(); });
  if (values == most_values || (!known && task.inputs.size() == most_nodes)) {
    entry.reject("node", fmt::format("found more than {} signals or {} nodes, expected fewer on "
                                     "one device",
                                     most_values, most_nodes));
  }
  return keys;
}

OutputKeys read_output(io::Options& entry, const GatewayTask& task) {
  OutputKeys keys;
  keys.signal.name = read_name(entry, "signal");
  keys.signal.unit = read_channel_unit(entry);
  keys.range = entry.interval("range", keys.signal.unit.view(), every_number);
  if (among(task.outputs, keys.signal.name)) {
    entry.reject("signal", fmt::format("found {} a second time, expected each signal at one output",
                                       keys.signal.name.view()));
  }
  if (task.outputs.size() == most_values) {
    entry.reject("signal", fmt::format("found more than {} outputs, expected fewer on one device",
                                       most_values));
  }
  return keys;
}

io::Channel describe(const InputKeys& keys, std::size_t group) {
  return {.range = every_number,
          .held = keys.held,
          .group = group,
          .where = Name(fmt::format("{} of node {}", keys.signal.name.view(), keys.node.view())),
          .unit = keys.signal.unit};
}

io::Channel describe(const OutputKeys& keys) {
  return {.range = keys.range,
          .where = Name(fmt::format("signal {}", keys.signal.name.view())),
          .unit = keys.signal.unit};
}

}  // namespace hild::dds

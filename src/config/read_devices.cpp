// SPDX-License-Identifier: Apache-2.0
#include "config/sections.hpp"

namespace hild::config {
namespace {

const io::Driver& find_driver(YamlOptions& section) {
  const std::string_view name = section.text("driver");
  if (const auto* driver = io::find_driver(name)) return *driver;
  std::vector<std::string_view> known;
  for (const auto* driver : io::drivers()) known.push_back(driver->name);
  section.no_such("driver", "a driver", known);
}

io::Member read_member(YamlOptions& section, const std::string& name) {
  if (name.size() > Name::capacity) {
    section.reject_all(
        fmt::format("found a name of {} bytes, expected at most {}", name.size(), Name::capacity));
  }
  const io::Driver& driver = find_driver(section);
  const io::LossRule loss = read_loss(section, {});
  auto device = section.strictly([&] { return driver.make(name, section); });
  if (!device) section.reject_all(fmt::format("the driver {} made no device", driver.name));
  return {std::string_view(name), std::move(device), loss};
}

}  // namespace

io::LossRule read_loss(YamlOptions& section, const io::LossRule& usual) {
  io::LossRule loss = usual;
  loss.max_latency = section.duration("max_latency", usual.max_latency);
  if (!section.has("on_loss")) return loss;
  loss.then = static_cast<io::OnLoss>(
      section.choice("on_loss", {"safe-stop", "hold", "carry-on", "substitute"}));
  if (loss.max_latency.ns == 0) {
    section.reject(
        "on_loss",
        "found what follows a loss, expected `max_latency` beside it: the age from which "
        "on an input counts as lost");
  }
  return loss;
}

std::vector<io::Member> read_devices(YamlOptions& root) {
  std::vector<io::Member> members;
  YamlOptions& devices = root.map("devices");
  for (const std::string& name : devices.keys()) {
    devices.attempt(name, [&] { members.push_back(read_member(devices.section(name), name)); });
  }
  return members;
}

}  // namespace hild::config

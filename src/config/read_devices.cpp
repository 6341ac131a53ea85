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
  const Duration max_latency = section.duration("max_latency", Duration{0});
  auto device = section.strictly([&] { return driver.make(name, section); });
  if (!device) section.reject_all(fmt::format("the driver {} made no device", driver.name));
  return {std::string_view(name), std::move(device), max_latency};
}

}  // namespace

std::vector<io::Member> read_devices(YamlOptions& root) {
  std::vector<io::Member> members;
  YamlOptions* devices = root.child("devices");
  if (devices == nullptr) return members;
  for (const std::string& name : devices->keys()) {
    devices->attempt(name, [&] { members.push_back(read_member(devices->section(name), name)); });
  }
  return members;
}

}  // namespace hild::config

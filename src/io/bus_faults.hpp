// SPDX-License-Identifier: Apache-2.0
/// \file
/// The faults of all devices of a bus, numbered one after the other: "bus.Command.missing".
#pragma once

#include <fmt/format.h>

#include <list>
#include <vector>

#include "hild/io/device.hpp"

namespace hild::io {

class BusFaults {
 public:
  /// Adds those of a device, which outlives this.
  void add(std::string_view device_name, Device& device) {
    const auto faults = device.faults();
    for (std::size_t i = 0; i < faults.size(); ++i) {
      fmt::memory_buffer& name = names_.emplace_back();
      fmt::format_to(fmt::appender(name), "{}.{}", device_name, faults[i].name);
      all_.push_back(faults[i]);
      all_.back().name = {name.data(), name.size()};
      of_.push_back({&device, i});
    }
  }
  [[nodiscard]] std::span<const DeviceFault> all() const noexcept { return all_; }
  /// Precondition: there is such a fault. Real-time safe.
  void set(std::size_t fault, bool there, double value) const noexcept {
    of_[fault].device->set_fault(of_[fault].index, there, value);
  }

 private:
  struct Of {
    Device* device;
    std::size_t index;
  };
  std::list<fmt::memory_buffer> names_;  // which stay where they are
  std::vector<DeviceFault> all_;
  std::vector<Of> of_;
};

}  // namespace hild::io

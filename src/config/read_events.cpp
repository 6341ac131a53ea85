// SPDX-License-Identifier: Apache-2.0
#include "config/sections.hpp"

namespace hild::config {

exec::AdmissionSettings read_events(YamlOptions& root) {
  exec::AdmissionSettings read;
  YamlOptions* section = root.child("events");
  if (section == nullptr) return read;
  read.guard = section->duration("guard", read.guard);
  read.max_deferrals =
      static_cast<int>(section->integer("max_deferrals", 1, 1'000'000'000, read.max_deferrals));
  return read;
}

}  // namespace hild::config

// SPDX-License-Identifier: Apache-2.0
#include "config/plan/containment.hpp"

#include <fmt/ranges.h>

#include <boost/json.hpp>

#include "core/json_parts.hpp"
#include "foreign/contain/confine.hpp"

namespace hild::plan {

std::optional<Containment> containment_of(const config::Config& config) {
  Containment c;
  if (!config.coupled && config.model.contained) c.models.push_back(config.model.type);
  if (config.coupled) {
    for (const auto& part : config.coupled->parts) {
      if (part->model.contained) c.models.push_back(part->name);
    }
  }
  if (c.models.empty()) return std::nullopt;
  c.missing = contain::not_confined();
  return c;
}

std::string words(const Containment& c) {
  if (c.missing.empty()) return fmt::format("{}: contained", fmt::join(c.models, ", "));
  return fmt::format(
      "{}: in a process of its own, but NOT CONTAINED: {}; a fault there still stays there, but "
      "code that means harm may reach hild and its outputs",
      fmt::join(c.models, ", "), c.missing);
}

boost::json::value containment_json(const std::optional<Containment>& c) {
  if (!c) return nullptr;
  return {{"models", boost::json::value_from(c->models)},
          {"contained", c->missing.empty()},
          {"missing", or_null(c->missing)}};
}

}  // namespace hild::plan

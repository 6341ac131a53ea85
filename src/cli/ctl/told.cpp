// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/told.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <cmath>

#include "cli/ctl/members.hpp"

namespace hild::ctl {

std::vector<Told> told_in(const boost::json::value& reply) {
  std::vector<Told> all;
  for (const boost::json::value& one : list_of(reply, "told")) {
    all.push_back({text_of(one, "of"), text_of(one, "words"), text_of(one, "level") == "quiet"});
  }
  return all;
}

std::string told_of(const boost::json::value& reply, std::string_view of,
                    std::string_view otherwise) {
  for (const Told& t : told_in(reply)) {
    if (t.of == of) return t.words;
  }
  return std::string(otherwise);
}

std::string difference(const boost::json::value& reply, std::string_view name,
                       std::string_view unit) {
  const boost::json::value all(map_of(reply, "differs"));
  const auto* of = member(all, name);
  if (of == nullptr) return {};
  const double line = number_of(*of, "line");
  const double plant = number_of(*of, "plant");
  return fmt::format("{}{}: {}", std::isnan(line) ? "" : "line " + quantity_text(line, unit) + ", ",
                     "plant " + quantity_text(plant, unit), text_of(*of, "why"));
}

std::string ending_words(const boost::json::value& ending) {
  return fmt::format("{} Exit code {}", text_of(ending, "words"), whole_of(ending, "exit_code"));
}

}  // namespace hild::ctl

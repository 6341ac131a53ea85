// SPDX-License-Identifier: Apache-2.0
#include "core/archive_problem.hpp"

#include <fmt/format.h>

namespace hild {
namespace {

std::string what_is_wrong(const Archive::Problem& p) {
  switch (p.kind) {
    case Archive::Problem::Kind::none:
      break;
    case Archive::Problem::Kind::cannot:
      return fmt::format("its state cannot be saved: {}", p.what);
    case Archive::Problem::Kind::no_room:
      return "there is no room for its state";
    case Archive::Problem::Kind::ends_early:
      return "it ends too early";
    case Archive::Problem::Kind::left_over:
      return fmt::format("it has {} bytes more than expected", p.found);
    case Archive::Problem::Kind::out_of_range:
      return fmt::format("{} is {}, expected {} to {}", p.what, p.found, p.low, p.high);
    case Archive::Problem::Kind::unfit:
      return fmt::format("{} does not fit the rest", p.what);
    case Archive::Problem::Kind::of_another:
      return fmt::format("it is of another {}", p.what);
    case Archive::Problem::Kind::missing:
      return fmt::format("{} is missing", p.what);
  }
  return {};
}

}  // namespace

std::string words_for(const Archive::Problem& p) {
  if (p.kind == Archive::Problem::Kind::none) return {};
  const std::string wrong = what_is_wrong(p);
  if (p.kind == Archive::Problem::Kind::cannot) {
    return p.section.empty() ? wrong : fmt::format("section {}: {}", p.section, wrong);
  }
  if (p.section.empty()) return fmt::format("byte {}: {}", p.at, wrong);
  return fmt::format("section {}, byte {}: {}", p.section, p.at, wrong);
}

}  // namespace hild

// SPDX-License-Identifier: Apache-2.0
/// `hildctl fault`: falsify a signal, and let it be again.
#include <fmt/format.h>

#include <boost/json.hpp>

#include "cli/print.hpp"
#include "ctl/arguments.hpp"
#include "ctl/columns.hpp"
#include "ctl/commands.hpp"
#include "ctl/members.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;
using Kind = CallError::Kind;

struct FaultArguments {
  Common common;
  std::string signal;
  std::string kind;
  std::string value;
  std::int64_t frames = 0;
  std::int64_t seed = -1;
  When when;
};

void print_faults(const json::value& status) {
  std::vector<Row> rows;
  for (const json::value& fault : list_of(status, "overrides")) {
    const std::int64_t until = whole_of(fault, "until_frame");
    rows.push_back({text_of(fault, "signal"), text_of(fault, "kind"),
                    quantity_text(number_of(fault, "value")),
                    until > 0 ? fmt::format("until frame {}", until) : "until released"});
  }
  cli::print_text(rows.empty() ? "no faults\n" : columns(rows, {2}));
}

Reply<json::object> params_of(const FaultArguments& a) {
  json::object params{{"signal", a.signal}};
  if (a.kind == "release") {
    if (!a.value.empty()) {
      return call_error(Kind::usage, "release takes no value: it ends all faults of the signal");
    }
  } else {
    params["kind"] = a.kind;
    if (!a.value.empty()) params["value"] = value_of(a.value);
    if (a.frames > 0) params["frames"] = a.frames;
    if (a.seed >= 0) params["seed"] = a.seed;
  }
  if (auto put = put_when(a.when, params); !put) return tl::make_unexpected(put.error());
  return params;
}

Exit fault(FaultArguments a) {
  if (a.signal.empty()) return perform(a.common, "status", {}, print_faults);
  if (a.kind.empty()) {
    return complain(a.common, {Kind::usage, fmt::format("what of {}: stuck, offset, gain, noise, "
                                                        "dropout, or release? `hildctl fault {} "
                                                        "stuck 0`",
                                                        a.signal, a.signal)});
  }
  const auto params = params_of(a);
  if (!params) return complain(a.common, params.error());
  a.common.waits = a.when.later();
  return perform(a.common, a.kind == "release" ? "release" : "override", *params, print_effect);
}

}  // namespace

void add_fault(CLI::App& app, Exit& exit) {
  auto* command =
      app.add_subcommand("fault", "inject a fault into an input or output, release it, list all");
  const auto a = std::make_shared<FaultArguments>();
  command->add_option("SIGNAL", a->signal, "an input or output; without one the faults are listed");
  command
      ->add_option("KIND", a->kind,
                   "stuck VALUE, offset VALUE, gain VALUE, noise VALUE (standard deviation), "
                   "dropout (keeps its last value), release (ends all faults of the signal)")
      ->check(CLI::IsMember({"stuck", "offset", "gain", "noise", "dropout", "release"}));
  command->add_option("VALUE", a->value, "a number in the signal's unit, or with its own");
  command->add_option("--frames", a->frames, "it lasts as many frames; default: until released")
      ->check(CLI::PositiveNumber);
  command->add_option("--seed", a->seed, "of noise: the same seed, the same noise")
      ->check(CLI::NonNegativeNumber);
  add_when_options(*command, a->when, true);
  add_common_options(*command, a->common);
  command->footer(
      "Kinds stack: gain, then offset, noise, stuck, dropout, each at most once on a signal.\n"
      "Examples: hildctl fault shaft_speed stuck 0\n"
      "          hildctl fault shaft_speed noise '2 rpm' --frames 5000\n"
      "          hildctl fault shaft_speed release");
  command->callback([=, &exit] { exit = fault(*a); });
}

}  // namespace hild::ctl

// SPDX-License-Identifier: Apache-2.0
/// Back to a recorded step.
#include <boost/json/object.hpp>

#include "control/server/method.hpp"
#include "core/decimal.hpp"

namespace hild::server {

json::value to_json(const Run::Rewinding& rewinding) {
  if (!rewinding.to) return nullptr;
  return json::object{
      {"to_s", in_seconds(*rewinding.to)},
      {"looking", rewinding.looking},
      {"error", rewinding.error.empty() ? json::value() : json::value(rewinding.error)}};
}

json::value rewind(const Context& context, Params& params) {
  const Run& run = context.run;
  const exec::Image now = newest_step(run);
  const bool by = params.has("by_s");
  if (by == params.has("to_s")) {
    refuse(rpc::Code::invalid_params, "expected either by_s or to_s, found {}",
           by ? "both" : "neither");
  }
  const Duration asked = params.duration(by ? "by_s" : "to_s");
  params.refuse_unknown();
  const SimTime to = by ? now.time - asked : SimTime{} + asked;
  if (!now.frozen) {
    refuse(rpc::Code::refused,
           "the plant runs: `freeze` it first (hildctl freeze), and then go back");
  }
  if (to < SimTime{} || to >= now.time) {
    refuse(rpc::Code::refused,
           "found {:.6f} s, expected a time from 0 s to before {:.6f} s, where the run is",
           in_seconds(to), in_seconds(now.time));
  }
  const std::string why = run.rewind(to);
  if (!why.empty()) refuse(rpc::Code::refused, "{}", why);
  return json::object{{"to_s", in_seconds(to)}};
}

}  // namespace hild::server

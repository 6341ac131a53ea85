// SPDX-License-Identifier: Apache-2.0
/// Several changes as one, and the end of all.
#include <boost/json/array.hpp>

#include "control/server/image.hpp"
#include "control/server/method.hpp"
#include "core/decimal.hpp"

namespace hild::server {
namespace {

namespace json = boost::json;

// Its params, but for `at`: all take effect at once.
void add_entry(const Context& context, const json::value& entry, const std::string& called,
               Changes& changes) {
  const json::object* const o = entry.if_object();
  if (o == nullptr || o->size() != 1) {
    refuse(rpc::Code::invalid_params, "{}: found {}, expected {{METHOD: params}}, one in each",
           called, found(entry));
  }
  const auto& [name, value] = *o->begin();
  const Method& method = find_method(std::string_view(name));
  const auto* const change = std::get_if<Changing>(&method.does);
  if (change == nullptr || *change == &transaction) {
    refuse(rpc::Code::invalid_params, "{}: {} cannot be part of a transaction", called,
           method.name);
  }
  const std::string path = fmt::format("{}.{}", called, method.name);
  if (!value.is_object()) {
    refuse(rpc::Code::invalid_params, "{}: found {}, expected an object", path, found(value));
  }
  Params params(value.get_object(), path);
  (*change)(context, params, changes);
  params.refuse_unknown();
}

/// At once, not by a change; answers with the newest step.
template <class Act>
json::value act(const Context& context, Params& params, Act act_on) {
  params.refuse_unknown();
  act_on(context.run);
  const exec::Image image = newest_image(context.run);
  return json::object{{"frame", image.frame}, {"time_s", in_seconds(image.time)}};
}

}  // namespace

void transaction(const Context& context, Params& params, Changes& changes) {
  const json::array& entries = params.list("changes");
  if (entries.empty()) params.reject("changes", "expected a change at least");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::size_t first = changes.all.size();
    add_entry(context, entries[i], fmt::format("{}[{}]", params.name_of("changes"), i), changes);
    for (std::size_t at = first; at < changes.all.size(); ++at) changes.origins[at].entry = i;
  }
}

json::value stop(const Context& context, Params& params) {
  return act(context, params, [](const Run& run) { run.stop.raise(); });
}
json::value arm(const Context& context, Params& params) {
  return act(context, params, [](const Run& run) { run.arm(true); });
}
json::value disarm(const Context& context, Params& params) {
  return act(context, params, [](const Run& run) { run.arm(false); });
}

}  // namespace hild::server

// SPDX-License-Identifier: Apache-2.0
/// Recorders that begin and end while the run goes on.
#include <boost/json/array.hpp>

#include "config/near_names.hpp"
#include "control/server/method.hpp"
#include "core/doc_page.hpp"
#include "core/json_parts.hpp"

namespace hild::server {
namespace {

/// Has the recorder that is named do so; without a name all that do not yet.
json::value turn(const Context& context, Params& params, bool on) {
  const Run& run = context.run;
  const std::vector<Run::Recorder> recorders = run.recorders();
  if (recorders.empty()) {
    refuse(rpc::Code::refused,
           "the run has no recorder: its configuration has no \"record:\"; with begin: on-request "
           "it begins to record when it is asked to ({})",
           doc_page("configuration"));
  }
  const std::string named = params.has("recorder") ? params.text("recorder") : std::string();
  params.refuse_unknown();
  std::vector<std::string_view> known;
  std::vector<std::size_t> meant;
  for (std::size_t i = 0; i < recorders.size(); ++i) {
    known.push_back(recorders[i].name);
    const bool asked =
        named.empty() ? (recorders[i].state == "idle") == on : named == recorders[i].name;
    if (asked) meant.push_back(i);
  }
  if (meant.empty() && !named.empty()) {
    params.reject("recorder", fmt::format("found \"{}\", expected a recorder of the run ({})",
                                          named, config::suggest(named, known)));
  }
  if (meant.empty()) {
    refuse(rpc::Code::refused, "{}", on ? "all recorders record already" : "no recorder records");
  }
  for (const std::size_t i : meant) {
    const std::string why = run.record(i, on);
    if (!why.empty()) refuse(rpc::Code::refused, "{}", why);
  }
  const std::vector<Run::Recorder> now = run.recorders();
  json::array answer;
  for (const std::size_t i : meant) answer.push_back(to_json(now[i]));
  return json::object{{"recorders", std::move(answer)}};
}

}  // namespace

json::object to_json(const Run::Recorder& r) {
  return {{"name", r.name},
          {"state", r.state},
          {"file", r.file.empty() ? json::value(nullptr) : json::value(r.file)},
          {"files", r.files},
          {"bytes", r.bytes},
          {"closing", r.closing},
          {"blocks", r.blocks},
          {"blocks_max", r.blocks_max},
          {"lost", r.lost},
          {"error", r.error}};
}

json::value record(const Context& context, Params& params) { return turn(context, params, true); }
json::value unrecord(const Context& context, Params& params) {
  return turn(context, params, false);
}

}  // namespace hild::server

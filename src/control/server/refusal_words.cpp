// SPDX-License-Identifier: Apache-2.0
/// What the loop says no to, in words.
#include "control/server/transactions.hpp"

namespace hild::server {
namespace {

using exec::Refusal;

std::string_view words(Refusal refusal) {
  switch (refusal) {
    case Refusal::no_slack:
      return "no frame had the slack for it: ask for fewer changes at once, or give the run longer "
             "frames";
    case Refusal::queue_full:
      return "too many transactions wait already: try again when some have taken effect";
    case Refusal::unknown_target:
      return "there is no such thing to change";
    case Refusal::out_of_limits:
      return "out of limits";
    case Refusal::not_finite:
      return "not a finite number";
    case Refusal::not_tunable:
      return "this parameter does not change while running: set it in the configuration";
    case Refusal::bad_table:
      return "a table needs one point at least, and times that ascend";
    case Refusal::empty_slot:
      return "nothing was saved in this slot: save first";
    case Refusal::device_failed:
      return "a device did not take its safe value, and the run ends";
    case Refusal::run_ended:
      return "the run has ended";
    case Refusal::withdrawn:
      return "withdrawn: who asked for it has gone";
    case Refusal::not_frozen:
      return "the plant runs, and to step it would freeze it: `freeze` first, or `step` with "
             "`freeze: true` (hildctl step --freeze)";
    case Refusal::not_whole:
      return "this parameter takes whole numbers only";
    default:
      return "refused";
  }
}

rpc::Code code_of(Refusal refusal) {
  if (refusal == Refusal::queue_full) return rpc::Code::queue_full;
  if (refusal == Refusal::run_ended) return rpc::Code::run_ended;
  return rpc::Code::refused;
}

}  // namespace

rpc::Error error_of(const exec::Reply& reply, const Changes& changes) {
  rpc::Error error{code_of(reply.refusal), std::string(words(reply.refusal)), {}};
  const bool of_one = error.code == rpc::Code::refused && reply.refusal != Refusal::no_slack &&
                      reply.refusal != Refusal::not_frozen;
  const bool known = reply.change < changes.origins.size();
  if (of_one && known) {
    error.message = fmt::format("{}: {}", changes.origins[reply.change].called, error.message);
  }
  error.data = {{"refusal", exec::to_string(reply.refusal)},
                {"change", known ? changes.origins[reply.change].entry : 0},
                {"frame", reply.frame}};
  return error;
}

}  // namespace hild::server

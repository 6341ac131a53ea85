// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/daemon_bench.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "cli/ctl/samples.hpp"

namespace hild::ctl {
namespace {

using sequence::Failure;

Failure failure_of(const CallError& failed) {
  switch (failed.kind) {
    case CallError::Kind::interrupted:
      return {Failure::Kind::interrupted, failed.message};
    case CallError::Kind::lost:
    case CallError::Kind::silent:
      return {Failure::Kind::lost, failed.message};
    default:
      return {refused_for_control(failed) ? Failure::Kind::displaced : Failure::Kind::refused,
              failed.message};
  }
}

}  // namespace

sequence::Answer<boost::json::value> DaemonBench::call(std::string_view method,
                                                       boost::json::object params) {
  auto result =
      control_ != nullptr ? client_.call(method, params) : call_as_owner(client_, method, params);
  if (!result) return tl::make_unexpected(failure_of(result.error()));
  if (method == "subscribe") columns_ = params.at("names").as_array().size();
  return std::move(*result);
}

// Frozen frames send none, so that samples that come are later than all before.
sequence::Answer<sequence::Samples> DaemonBench::samples() {
  if (control_ != nullptr) {
    if (const auto kept = control_->keep(); !kept) {
      return tl::make_unexpected(failure_of(kept.error()));
    }
  }
  const auto params = client_.notification("samples", patience_);
  if (!params) {
    if (params.error().kind != CallError::Kind::silent) {
      return tl::make_unexpected(failure_of(params.error()));
    }
    return tl::make_unexpected(Failure{
        Failure::Kind::stalled,
        fmt::format("simulated time stood still for {:.3g} s: a frozen run needs `resume` or "
                    "`step` before anything that takes time",
                    std::chrono::duration<double>(patience_).count())});
  }
  const auto rows = sample_rows(*params, columns_);
  if (!rows) return tl::make_unexpected(failure_of(rows.error()));
  sequence::Samples samples;
  samples.lost = rows->lost;
  samples.values = rows->values;
  for (const double t : rows->times_s) samples.times.push_back(SimTime{} + from_seconds(t));
  return samples;
}

}  // namespace hild::ctl

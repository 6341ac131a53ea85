// SPDX-License-Identifier: Apache-2.0
/// \file
/// The bench of a sequence that is a daemon.
#pragma once

#include <optional>

#include "cli/ctl/client.hpp"
#include "cli/ctl/control.hpp"
#include "control/sequence/bench.hpp"

namespace hild::ctl {

class DaemonBench final : public sequence::Bench {
 public:
  /// `patience` is how long simulated time may stand still. `control`, if there is any, is kept
  /// meanwhile; null: there is none. Both outlive the bench.
  DaemonBench(Client& client, HeldControl* control, std::chrono::milliseconds patience)
      : client_(client), control_(control), patience_(patience) {}

  sequence::Answer<boost::json::value> call(std::string_view method,
                                            boost::json::object params) override;
  sequence::Answer<sequence::Samples> samples() override;

 private:
  Client& client_;
  HeldControl* control_;
  std::chrono::milliseconds patience_;
  std::size_t columns_ = 0;  ///< of the subscription
};

}  // namespace hild::ctl

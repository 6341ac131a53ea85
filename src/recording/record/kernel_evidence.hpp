// SPDX-License-Identifier: Apache-2.0
/// \file
/// Evidence of what the running kernel did to a thread.
#pragma once

#include "recording/record/overrun_attribution.hpp"

namespace hild::record {

class KernelEvidence final : public Evidence {
 public:
  explicit KernelEvidence(rt::ThreadEvents events) : events_(std::move(events)) {}
  void collect(std::vector<rt::ThreadEvent>& into) override { events_.collect(into); }

 private:
  rt::ThreadEvents events_;
};

}  // namespace hild::record

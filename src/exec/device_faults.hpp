// SPDX-License-Identifier: Apache-2.0
/// \file
/// The faults of devices that are in force, and when they end. What they do is the devices' own;
/// behind a record there are none, and nothing is done. Real-time safe after construction.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/changes.hpp"
#include "hild/io/sampler.hpp"

namespace hild::exec {

class DeviceFaults {
 public:
  /// `sampler` outlives this.
  explicit DeviceFaults(io::Sampler& sampler) : sampler_(&sampler), until_(sampler.faults()) {}

  /// Precondition: as check() of change_check.hpp.
  void inject(const InjectFault& c, std::int64_t frame) noexcept {
    if (c.fault >= until_.size()) return;
    set_end(c.fault, end_of(frame, c.frames));
    sampler_->set_fault(c.fault, true, c.value);
  }
  void clear(std::uint32_t fault) noexcept {
    if (fault >= until_.size() || until_[fault] == 0) return;
    set_end(fault, 0);
    sampler_->set_fault(fault, false, 0);
  }
  void clear_all() noexcept {
    for (std::uint32_t fault = 0; fault < until_.size(); ++fault) clear(fault);
  }

  /// Whether any of them ends by itself.
  [[nodiscard]] bool timed() const noexcept { return timed_ > 0; }
  /// Ends those whose frames are over before the step that starts at `frame`.
  void expire(std::int64_t frame) noexcept {
    if (!timed()) return;
    for (std::uint32_t fault = 0; fault < until_.size(); ++fault) {
      if (until_[fault] != 0 && until_[fault] <= frame) clear(fault);
    }
  }

 private:
  void set_end(std::uint32_t fault, std::int64_t until) noexcept {
    const auto ends = [](std::int64_t frame) { return frame != 0 && frame != for_good ? 1 : 0; };
    timed_ += ends(until) - ends(until_[fault]);
    until_[fault] = until;
  }

  io::Sampler* sampler_;
  std::vector<std::int64_t> until_;  // first frame without it; 0: not in force
  int timed_ = 0;
};

}  // namespace hild::exec

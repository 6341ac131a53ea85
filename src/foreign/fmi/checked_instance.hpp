// SPDX-License-Identifier: Apache-2.0
/// \file
/// An instance, and the first of its calls that failed, after which nothing more is asked of it.
/// What every pass calls is called directly. Real-time safe, as far as the FMU is.
#pragma once

#include <memory>

#include "foreign/fmi/layout.hpp"

namespace hild::fmi {

class CheckedInstance {
 public:
  using In = std::span<const double>;
  using Out = std::span<double>;

  CheckedInstance(const Layout& layout, std::unique_ptr<Instance> instance);

  /// The calls themselves, whose status is for take().
  [[nodiscard]] Instance* operator->() const noexcept { return instance_.get(); }

  /// Whether the call succeeded; the first that did not is remembered.
  bool take(Status status, const char* call) noexcept {
    if (good(status)) [[likely]] {
      return true;
    }
    fail(call);
    return false;
  }
  /// Nothing is to be asked of it any more; `call` says which call led to that.
  void fail(const char* call) noexcept {
    if (failure_ == nullptr) failure_ = call;
  }
  [[nodiscard]] bool failed() const noexcept { return failure_ != nullptr; }
  /// The call that failed; null while none has.
  [[nodiscard]] const char* failure() const noexcept { return failure_; }

  /// Makes it ready to be initialised, also after that has been done and after a failure.
  void reset() noexcept;
  /// Through initialization mode. Returns whether all calls succeeded so far.
  bool initialise() noexcept;
  /// Gives it all values of these groups, out of `from`.
  void set(std::vector<Group>& groups, In from) noexcept;
  /// Reads the outputs of these groups; all of y is NaN when a call fails, or has failed.
  void read(std::vector<Group>& groups, Out y) noexcept;

  // What every pass does.
  [[gnu::always_inline]] bool set_time(double t) noexcept {
    return take(numerics::kept_apart(functions_.set_time, functions_.component, t), "set time");
  }
  [[gnu::always_inline]] bool set_states(In x) noexcept {
    return take(
        numerics::kept_apart(functions_.set_states, functions_.component, x.data(), x.size()),
        "set continuous states");
  }
  [[gnu::always_inline]] bool get_derivatives(Out dx) noexcept {
    return take(numerics::kept_apart(functions_.get_derivatives, functions_.component, dx.data(),
                                     dx.size()),
                "get derivatives");
  }
  bool get_event_indicators(Out z) noexcept {
    return take(instance_->get_event_indicators(z), "get event indicators");
  }

 private:
  std::unique_ptr<Instance> instance_;
  StepFunctions functions_;  // a copy of the instance's, for speed
  const char* failure_ = nullptr;
  bool started_ = false;
};

}  // namespace hild::fmi

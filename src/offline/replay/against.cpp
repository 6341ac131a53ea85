// SPDX-License-Identifier: Apache-2.0
#include "offline/replay/against.hpp"

namespace hild::replay {
namespace {

// The steps of one of them; a record lasts until the next is read.
class Steps {
 public:
  explicit Steps(StepSource& source) : source_(source) { next(); }

  [[nodiscard]] bool any() const noexcept { return record_ != nullptr; }
  [[nodiscard]] io::FrameView view() const noexcept { return {source_.layout(), record_}; }
  [[nodiscard]] std::int64_t frame() const noexcept { return view().header().frame; }
  void next() noexcept { record_ = source_.next(); }

 private:
  StepSource& source_;
  const std::byte* record_ = nullptr;
};

Result<void> check(const io::FrameLayout& a, const io::FrameLayout& b) {
  if (a.states() == b.states() && a.outputs() == b.outputs() && a.inputs() == b.inputs()) return {};
  return fail("they are not of one model: {} inputs, {} outputs, {} states, and {}, {}, {}",
              a.inputs(), a.outputs(), a.states(), b.inputs(), b.outputs(), b.states());
}

}  // namespace

Result<Against> against(StepSource& first, StepSource& second, const AgainstOptions& options) {
  if (auto fit = check(first.layout(), second.layout()); !fit) {
    return tl::make_unexpected(fit.error());
  }
  Against result;
  result.worst_states.resize(first.layout().states());
  result.worst_outputs.resize(first.layout().outputs());
  Steps a(first);
  Steps b(second);
  while ((a.any() || b.any()) && options.go_on()) {
    if (!b.any() || (a.any() && a.frame() < b.frame())) {
      ++result.only_first;
      a.next();
      continue;
    }
    if (!a.any() || b.frame() < a.frame()) {
      ++result.only_second;
      b.next();
      continue;
    }
    result.last_frame = a.frame();
    if (result.compared++ == 0) result.first_frame = a.frame();
    bool new_step = true;
    compare(a.view(), b.view(), options.tolerance, [&](const Difference& d) {
      result.add(d, new_step);
      new_step = false;
    });
    options.on_pair(a.view(), b.view());
    a.next();
    b.next();
  }
  if (result.compared == 0) return fail("they have no frame in common");
  return result;
}

}  // namespace hild::replay

// SPDX-License-Identifier: Apache-2.0
#include "hild/model/multirate.hpp"

#include <algorithm>

namespace hild::model {

numerics::Method Multirate::method() const noexcept {
  int order = interface == Interface::hold ? 1 : 2;
  for (std::size_t i = 0; i < count; ++i) order = std::min(order, rates[i].method->order);
  return {.name = "multirate",
          .source = "Cellier, Multi-rate Integration VI; Mixed-mode Integration IV",
          .family = numerics::Family::multirate,
          .order = order,
          .passes = minor_steps()};
}

bool fit_for_partition(const numerics::Method& m) noexcept {
  return m.passes == 1 && m.history <= 1 && m.family != numerics::Family::multirate;
}

Result<void> check_partitions(const Description& model) {
  const auto known = [&](std::string_view name) {
    return std::ranges::find(model.states, name, &State::name) != model.states.end();
  };
  if (model.partitions.size() > max_partitions) {
    return fail("model {}: {} partitions, at most {}: join some", model.name,
                model.partitions.size(), max_partitions);
  }
  for (const Partition& p : model.partitions) {
    for (const std::string_view name : p.states) {
      if (!known(name)) {
        return fail("model {}: partition {} has `{}`, which is no state", model.name, p.name, name);
      }
    }
  }
  for (const State& s : model.states) {
    const Partition* owner = nullptr;
    for (const Partition& p : model.partitions) {
      const auto times = std::ranges::count(p.states, s.name);
      if (times > 1 || (times == 1 && owner != nullptr)) {
        return fail("model {}: state {} is in partition {} and in {}: leave it in one", model.name,
                    s.name, owner == nullptr ? p.name : owner->name, p.name);
      }
      if (times == 1) owner = &p;
    }
    if (owner == nullptr) {
      return fail("model {}: state {} is in no partition: add it to one", model.name, s.name);
    }
  }
  return {};
}

Result<void> check_rates(const Description& model, const Multirate& rates) {
  if (rates.count != model.partitions.size() || rates.count == 0) {
    return fail("model {}: {} partitions, but rates for {}", model.name, model.partitions.size(),
                rates.count);
  }
  const int most = rates.minor_steps();
  for (std::size_t i = 0; i < rates.count; ++i) {
    const std::string_view name = model.partitions[i].name;
    const auto& [method, ratio] = rates.rates[i];
    if (method == nullptr || !fit_for_partition(*method)) {
      return fail("partition {}: takes forward-euler, ab-2, libe or backward-euler", name);
    }
    if (ratio < 1 || ratio > max_ratio || most % ratio != 0) {
      return fail("partition {}: ratio {} does not divide the largest, {} (1 ... {})", name, ratio,
                  most, max_ratio);
    }
  }
  return {};
}

}  // namespace hild::model

// SPDX-License-Identifier: Apache-2.0
#include "exec/admission.hpp"

#include <algorithm>
#include <numeric>

namespace hild::exec {

ClassCounts classes_of(const Transaction& t) noexcept {
  ClassCounts counts{};
  for (const Change& change : t.changes()) ++counts[static_cast<std::size_t>(class_of(change))];
  return counts;
}

void Admission::seed(EventClass c, Cost cost) noexcept {
  of(c).prepare.seed(cost.prepare);
  of(c).commit.seed(cost.commit);
}

Admission::Cost Admission::cost(EventClass c) const noexcept {
  const Estimates& e = estimates_[static_cast<std::size_t>(c)];
  return {e.prepare.now(), e.commit.now()};
}

Admission::Cost Admission::cost(const ClassCounts& changes) const noexcept {
  Cost sum;
  for (std::size_t c = 0; c < event_classes; ++c) {
    sum.prepare += estimates_[c].prepare.now() * changes[c];
    sum.commit += estimates_[c].commit.now() * changes[c];
  }
  return sum;
}

bool Admission::fits(const ClassCounts& changes, const ClassCounts& prepared,
                     Duration slack) const noexcept {
  const Cost needed = cost(changes);
  return needed.prepare + needed.commit + cost(prepared).commit + settings_.guard <= slack;
}

void Admission::prepared(const ClassCounts& changes, Duration took) noexcept {
  // It is measured as a whole; the changes share what it took.
  const auto all = std::max<std::int64_t>(std::reduce(changes.begin(), changes.end()), 1);
  const Duration share{(took.ns + all - 1) / all};
  for (std::size_t c = 0; c < event_classes; ++c) {
    if (changes[c] > 0) estimates_[c].prepare.learn(share);
  }
}

void Admission::committed(EventClass c, Duration took) noexcept { of(c).commit.learn(took); }

void Admission::waited(const ClassCounts& changes) noexcept {
  for (std::size_t c = 0; c < event_classes; ++c) {
    if (changes[c] == 0) continue;
    estimates_[c].prepare.decay();
    estimates_[c].commit.decay();
  }
}

}  // namespace hild::exec

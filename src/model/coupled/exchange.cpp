// SPDX-License-Identifier: Apache-2.0
#include "model/coupled/exchange.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hild::coupled {
namespace {

std::size_t most_passes(const numerics::Method& method) noexcept {
  const int starter = method.starter != nullptr ? method.starter->passes : 0;
  return static_cast<std::size_t>(std::max(method.passes, starter));
}

}  // namespace

Exchange::Exchange(std::shared_ptr<const Composition> composition,
                   std::vector<std::unique_ptr<model::Stepper>> steppers, const Grid& grid)
    : composition_(std::move(composition)),
      u_(composition_->description().inputs.size()),
      y_(composition_->description().outputs.size()),
      solver_(composition_->order().solved.size()),
      closing_(composition_->order().solved.size()) {
  for (std::size_t p = 0; p < steppers.size(); ++p) {
    const Part& part = composition_->parts()[p];
    const model::Description& d = part.description;
    const Pace pace = part.rate.every > 1      ? Pace::slow
                      : part.rate.substeps > 1 ? Pace::substeps
                                               : Pace::frame;
    members_.push_back({std::move(steppers[p]), composition_->places(p), d.inputs.size(),
                        d.outputs.size(), d.states.size(), d.events.size(), pace, part.rate,
                        History(d.outputs.size()), SlowStep(grid, part.rate.every)});
    members_.back().timed = d.time_events;
    members_.back().loaded.nodes.reserve(most_passes(members_.back().stepper->method()));
  }
  for (const Connection& c : composition_->connections()) {
    source_.push_back(composition_->part_of(&FirstIndices::outputs, c.from));
    source_output_.push_back(c.from - members_[source_.back()].first.outputs);
    Member& fed = members_[composition_->part_of(&FirstIndices::inputs, c.to)];
    fed.fed_by.push_back(given_.size());
    fed.interpolates = fed.interpolates || c.degree > 0;
    given_.push_back(composition_->description().inputs[c.to].start);
  }
}

void Exchange::forget() noexcept {
  const auto connections = composition_->connections();
  for (std::size_t c = 0; c < connections.size(); ++c) {
    given_[c] = composition_->description().inputs[connections[c].to].start;
  }
  for (Member& m : members_) m.history.clear();
  far_ = true;
}

void Exchange::transfer(Archive& archive) noexcept {
  for (std::size_t p = 0; p < members_.size(); ++p) {
    archive.section(composition_->parts()[p].name.view(), [&] { members_[p].transfer(archive); });
  }
  archive(given_, y_, connected_, connected_at_, t_, end_);
  if (!closing_.empty()) archive(far_);
}

void Member::transfer(Archive& archive) noexcept {
  history.transfer(archive);
  archive(acted);
  stepper->transfer(archive, pace == Pace::slow ? transfer_slow(archive) : model::between_steps);
}

// Its step may be under way between two of the whole. Returns how many passes of it were made.
int Member::transfer_slow(Archive& archive) noexcept {
  const std::size_t most = most_passes(stepper->method());
  slow.transfer(archive, static_cast<int>(most));
  if (!slow.under_way && !archive.measures()) return model::between_steps;
  if (!archive.loads() && passes != nullptr) loaded = *passes;
  archive(loaded.starting);
  archive.list(loaded.nodes, most, "passes of a step of several frames",
               [&](double& node) { archive(node); });
  const auto within = [](double node) { return node >= 0 && node <= 1; };
  archive.check(std::ranges::all_of(loaded.nodes, within), "the node of a pass");
  archive.check(slow.next_pass <= loaded.count(), "the number of passes made");
  if (archive.loads()) passes = &loaded;
  return archive.measures() ? static_cast<int>(most) : slow.next_pass;
}

// After a hundred days seconds tell a nanosecond no more: what is meant is an instant of the step
// where one reads like that.
SimTime Exchange::instant_of(double t) const noexcept {
  for (const SimTime known : {end_, t_, connected_at_}) {
    if (seconds(known) == t) return known;
  }
  return {std::llround(t * 1e9)};
}

void Exchange::connect(SimTime t, Out u) noexcept {
  std::ranges::copy(u, u_.begin());
  connected_at_ = t;
  connected_ = true;
  const auto connections = composition_->connections();
  for (std::size_t c = 0; c < connections.size(); ++c) {
    if (connections[c].delayed) u_[connections[c].to] = supplied(c, t, t);
    if (connections[c].solved) u_[connections[c].to] = given_[c];
  }
  const auto evaluate = [&](const Schedule& schedule) {
    for (const std::size_t k : schedule) {
      Member& m = members_[k];
      if (m.slow.under_way) continue;  // its outputs hold
      for (const std::size_t c : m.fed_by) {
        const Connection& one = connections[c];
        if (!one.delayed && !one.solved) u_[one.to] = of_now(c, t);
      }
      m.stepper->outputs(seconds(t), inputs_of(m), outputs_of(m));
    }
  };
  evaluate(composition_->order().sources);
  if (!closing_.empty()) {
    solve_loops(t, evaluate);
    far_ = false;
    evaluate(composition_->order().sources);
  }
  for (Member& m : members_) {
    if (!m.slow.under_way) m.history.push(t, outputs_of(m));
  }
  for (std::size_t c = 0; c < connections.size(); ++c) {
    given_[c] = supplied(c, t, t);
    u[connections[c].to] = given_[c];
  }
}

// After all models were evaluated with some values of the connections that close loops: finds those
// that the models give back.
template <class Evaluate>
void Exchange::solve_loops(SimTime t, Evaluate&& evaluate) noexcept {
  const auto connections = composition_->connections();
  const Ordered& order = composition_->order();
  const auto put = [&](std::span<const double> values) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      u_[connections[order.solved[k]].to] = values[k];
    }
  };
  for (std::size_t k = 0; k < closing_.size(); ++k) {
    closing_[k] = u_[connections[order.solved[k]].to];
  }
  const bool found = solver_.solve(
      closing_, far_, [&](std::span<const double> values, std::span<double> results) noexcept {
        put(values);
        evaluate(order.loops);
        for (std::size_t k = 0; k < results.size(); ++k) results[k] = of_now(order.solved[k], t);
      });
  if (!found) ++unsolved_;
  put(closing_);
}

void Exchange::reconnect(Out u) const noexcept {
  const auto connections = composition_->connections();
  for (std::size_t c = 0; c < connections.size(); ++c) u[connections[c].to] = given_[c];
}

// A connection at t, in a step that begins at `step`, from what is known of its source. A delayed
// one of which nothing was known before gives what its input starts with.
double Exchange::supplied(std::size_t connection, SimTime t, SimTime step) const noexcept {
  const Connection& c = composition_->connections()[connection];
  const History& history = members_[source_[connection]].history;
  const std::size_t output = source_output_[connection];
  if (!c.delayed) return c.factor * history.at(t, output, c.degree) + c.offset;
  if (!history.reaches_before(step)) {
    return composition_->description().inputs[c.to].start;
  }
  return c.factor * history.before(step, t, output, c.degree) + c.offset;
}

// The same while outputs are being evaluated: from those that were just found.
double Exchange::of_now(std::size_t connection, SimTime t) const noexcept {
  const Connection& c = composition_->connections()[connection];
  if (c.delayed || members_[source_[connection]].slow.under_way) return supplied(connection, t, t);
  return c.factor * y_[c.from] + c.offset;
}

// A connected input that is not what connect() gave was falsified, and holds.
Exchange::In Exchange::inputs(const Member& m, SimTime t, In u) noexcept {
  std::ranges::copy(u.subspan(m.first.inputs, m.inputs),
                    u_.begin() + static_cast<std::ptrdiff_t>(m.first.inputs));
  for (const std::size_t c : m.fed_by) {
    const Connection& one = composition_->connections()[c];
    if (one.degree > 0 && u[one.to] == given_[c]) u_[one.to] = supplied(c, t, connected_at_);
  }
  return inputs_of(m);
}

void Exchange::evaluate(Member& m, SimTime t, In u) noexcept {
  m.stepper->outputs(seconds(t), inputs(m, t, u), outputs_of(m));
  m.history.push(t, outputs_of(m));
}

Exchange::In Exchange::outputs(double t, In x, In u) noexcept {
  const SimTime at = instant_of(t);
  std::ranges::copy(u, u_.begin());
  const auto evaluate = [&](const Schedule& schedule) {
    for (const std::size_t k : schedule) {
      Member& m = members_[k];
      if (m.slow.under_way) continue;
      for (const std::size_t c : m.fed_by) {
        const Connection& one = composition_->connections()[c];
        if (one.solved) continue;
        if (u[one.to] == given_[c]) u_[one.to] = of_now(c, at);  // else it was falsified
      }
      m.system().outputs(t, m.states_of(x), inputs_of(m), outputs_of(m));
    }
  };
  evaluate(composition_->order().all);
  if (!closing_.empty()) {
    solve_loops(at, evaluate);
    evaluate(composition_->order().all);
  }
  return y_;
}

}  // namespace hild::coupled

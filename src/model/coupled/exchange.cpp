// SPDX-License-Identifier: Apache-2.0
#include "model/coupled/exchange.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hild/core/copy_values.hpp"

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
    const Pace pace = part.rate.background     ? Pace::background
                      : part.rate.every > 1    ? Pace::slow
                      : part.rate.substeps > 1 ? Pace::substeps
                                               : Pace::frame;
    members_.push_back({std::move(steppers[p]), composition_->places(p), d.inputs.size(),
                        d.outputs.size(), d.states.size(), d.events.size(), pace, part.rate,
                        History(d.outputs.size()), SlowStep(grid, part.rate.every)});
    members_.back().timed = d.time_events;
    members_.back().elsewhere = model::steps_elsewhere(*members_.back().stepper);
    const std::size_t most = most_passes(members_.back().stepper->method());
    members_.back().loaded.nodes.reserve(most);
    if (pace == Pace::background) {
      members_.back().background = std::make_unique<BackgroundStep>(*members_.back().stepper, most);
    }
  }
  for (const Connection& c : composition_->connections()) {
    const std::size_t source = composition_->part_of(&FirstIndices::outputs, c.from);
    Member& m = members_[source];
    const bool direct = !c.delayed && !takes_several(m.pace);
    const bool newest = direct && c.degree == 0;
    feeds_.push_back({c, source, c.from - m.first.outputs, direct, newest});
    m.recalled = m.recalled || !newest;
    if (c.delayed || c.solved) known_.push_back(given_.size());
    Member& fed = members_[composition_->part_of(&FirstIndices::inputs, c.to)];
    fed.fed_by.push_back(given_.size());
    fed.interpolates = fed.interpolates || c.degree > 0;
    given_.push_back(composition_->description().inputs[c.to].start);
  }
}

void Exchange::forget() noexcept {
  for (std::size_t c = 0; c < feeds_.size(); ++c) {
    given_[c] = composition_->description().inputs[feeds_[c].to].start;
  }
  for (Member& m : members_) {
    const bool goes_on = m.background != nullptr && m.background->busy();
    if (!goes_on) m.history.clear();
  }
  far_ = true;
}

void Exchange::transfer(Archive& archive) noexcept {
  if (std::ranges::find(members_, Pace::background, &Member::pace) != members_.end()) {
    return archive.refuse(
        "the step of a model in the background cannot be saved while it is taken");
  }
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
  copy_values(u, u_.data());
  connected_at_ = t;
  connected_ = true;
  // At hand for the loops below, in which models are called.
  const std::span members(members_);
  const std::span<const Feed> feeds(feeds_);
  const std::span inputs(u_), outputs(y_), given(given_);
  for (const std::size_t c : known_) {
    const Feed& feed = feeds[c];
    inputs[feed.to] = feed.solved ? given[c] : supplied(feed, t, t);
  }
  const double now = seconds(t);
  const auto evaluate = [&](const Schedule& schedule) {
    for (const std::size_t k : schedule) {
      Member& m = members[k];
      if (m.slow.under_way) continue;  // its outputs hold
      for (const std::size_t c : m.fed_by) {
        const Feed& feed = feeds[c];
        if (feed.delayed || feed.solved) continue;
        inputs[feed.to] = feed.direct ? feed.converted(outputs[feed.from]) : of_others(feed, t);
      }
      m.stepper->outputs(now, inputs.subspan(m.first.inputs, m.inputs),
                         outputs.subspan(m.first.outputs, m.outputs));
    }
  };
  evaluate(composition_->order().sources);
  if (!closing_.empty()) {
    solve_loops(t, evaluate);
    far_ = false;
    evaluate(composition_->order().sources);
  }
  for (Member& m : members) {
    if (m.recalled && !m.slow.under_way) m.history.push(t, outputs_of(m));
  }
  for (std::size_t c = 0; c < feeds.size(); ++c) {
    const Feed& feed = feeds[c];
    // As a history gives it, which sums up: -0 becomes 0.
    given[c] = feed.newest ? feed.converted(0.0 + outputs[feed.from]) : supplied(feed, t, t);
    u[feed.to] = given[c];
  }
}

// After all models were evaluated with some values of the connections that close loops: finds those
// that the models give back.
template <class Evaluate>
void Exchange::solve_loops(SimTime t, Evaluate&& evaluate) noexcept {
  const Ordered& order = composition_->order();
  const auto put = [&](std::span<const double> values) {
    for (std::size_t k = 0; k < values.size(); ++k) u_[feeds_[order.solved[k]].to] = values[k];
  };
  for (std::size_t k = 0; k < closing_.size(); ++k) {
    closing_[k] = u_[feeds_[order.solved[k]].to];
  }
  const bool found = solver_.solve(
      closing_, far_, [&](std::span<const double> values, std::span<double> results) noexcept {
        put(values);
        evaluate(order.loops);
        for (std::size_t k = 0; k < results.size(); ++k) {
          results[k] = of_now(feeds_[order.solved[k]], t);
        }
      });
  if (!found) ++unsolved_;
  put(closing_);
}

void Exchange::reconnect(Out u) const noexcept {
  for (std::size_t c = 0; c < feeds_.size(); ++c) u[feeds_[c].to] = given_[c];
}

// A connection at t, in a step that begins at `step`, from what is known of its source. A delayed
// one of which nothing was known before gives what its input starts with.
double Exchange::supplied(const Feed& feed, SimTime t, SimTime step) const noexcept {
  const History& history = members_[feed.source].history;
  if (!feed.delayed) return feed.converted(history.at(t, feed.output, feed.degree));
  if (!history.reaches_before(step)) {
    return composition_->description().inputs[feed.to].start;
  }
  return feed.converted(history.before(step, t, feed.output, feed.degree));
}

// While outputs are being evaluated, what is delayed or of a model of several frames.
double Exchange::of_others(const Feed& feed, SimTime t) const noexcept {
  if (feed.delayed || members_[feed.source].slow.under_way) return supplied(feed, t, t);
  return feed.converted(y_[feed.from]);
}

// A connected input that is not what connect() gave was falsified, and holds.
Exchange::In Exchange::interpolated(const Member& m, SimTime t, In u, In held) noexcept {
  std::ranges::copy(held, u_.begin() + static_cast<std::ptrdiff_t>(m.first.inputs));
  for (const std::size_t c : m.fed_by) {
    const Feed& feed = feeds_[c];
    if (feed.degree > 0 && u[feed.to] == given_[c]) {
      u_[feed.to] = supplied(feed, t, connected_at_);
    }
  }
  return inputs_of(m);
}

Exchange::In Exchange::evaluate(Member& m, SimTime t, In u) noexcept {
  m.stepper->outputs(seconds(t), inputs(m, t, u), outputs_of(m));
  if (m.recalled) m.history.push(t, outputs_of(m));
  return outputs_of(m);
}

void Exchange::give_outputs(Member& m, SimTime t, In y) noexcept {
  copy_values(y, outputs_of(m).data());
  if (m.recalled) m.history.push(t, y);
}

Exchange::In Exchange::outputs(double t, In x, In u) noexcept {
  return outputs_by(t, u, [&](Member& m, In own, Out y) noexcept {
    m.system().outputs(t, m.states_of(x), own, y);
  });
}

Exchange::In Exchange::outputs(double t, In u) noexcept {
  return outputs_by(t, u,
                    [t](Member& m, In own, Out y) noexcept { m.stepper->outputs(t, own, y); });
}

// `ask` evaluates a model with its own inputs.
template <class Ask>
Exchange::In Exchange::outputs_by(double t, In u, Ask&& ask) noexcept {
  const SimTime at = instant_of(t);
  copy_values(u, u_.data());
  const auto evaluate = [&](const Schedule& schedule) {
    for (const std::size_t k : schedule) {
      Member& m = members_[k];
      if (m.slow.under_way) continue;
      for (const std::size_t c : m.fed_by) {
        const Feed& feed = feeds_[c];
        if (feed.solved) continue;
        if (u[feed.to] == given_[c]) u_[feed.to] = of_now(feed, at);  // else it was falsified
      }
      ask(m, inputs_of(m), outputs_of(m));
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

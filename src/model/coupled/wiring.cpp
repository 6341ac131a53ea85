// SPDX-License-Identifier: Apache-2.0
#include "model/coupled/wiring.hpp"

#include <algorithm>

namespace hild::coupled {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

class Graph {
 public:
  Graph(std::span<const model::Description* const> models, std::span<const Connection> connections)
      : connections_(connections) {
    std::size_t inputs = 0;
    for (std::size_t m = 0; m < models.size(); ++m) {
      for (const model::Output& output : models[m]->outputs) {
        owner_.push_back(m);
        needs_.push_back(needs_of(*models[m], output.name, inputs, false));
        needs_solved_.push_back(needs_of(*models[m], output.name, inputs, true));
      }
      inputs += models[m]->inputs.size();
    }
  }

  [[nodiscard]] std::size_t outputs() const { return owner_.size(); }

  /// Evaluates models until all `wanted` outputs are known; where that cannot be, an output that is
  /// not comes back.
  std::size_t order(const std::vector<bool>& wanted, Schedule& schedule) {
    known_.assign(outputs(), false);
    while (true) {
      const std::size_t left = first_unknown(wanted);
      if (left == none) return none;
      const std::size_t model = best_model(wanted);
      if (model == none) return left;
      schedule.push_back(model);
      std::vector<std::size_t> learnt;
      for (std::size_t o = 0; o < outputs(); ++o) {
        if (owner_[o] == model && wanted[o] && !known_[o] && ready(o)) learnt.push_back(o);
      }
      for (const std::size_t o : learnt) known_[o] = true;
    }
  }

  /// The outputs that depend on the value of a solved connection, and that such a value depends on.
  [[nodiscard]] std::vector<bool> looped() const {
    std::vector<bool> after(outputs(), false);
    std::vector<bool> before(outputs(), false);
    for (const Connection& c : connections_) {
      if (c.solved && !c.delayed) before[c.from] = true;
    }
    for (std::size_t round = 0; round < outputs(); ++round) {  // no path is longer
      for (std::size_t o = 0; o < outputs(); ++o) {
        if (!needs_solved_[o].empty()) after[o] = true;
        for (const std::size_t c : needs_[o]) {
          if (after[connections_[c].from]) after[o] = true;
          if (before[o]) before[connections_[c].from] = true;
        }
      }
    }
    for (std::size_t o = 0; o < outputs(); ++o) after[o] = after[o] && before[o];
    return after;
  }
  /// Whether an output in a loop depends on the value of this connection.
  [[nodiscard]] bool feeds(std::size_t connection, const std::vector<bool>& looped) const {
    for (std::size_t o = 0; o < outputs(); ++o) {
      if (looped[o] && std::ranges::find(needs_solved_[o], connection) != needs_solved_[o].end()) {
        return true;
      }
    }
    return false;
  }
  [[nodiscard]] std::size_t owner(std::size_t output) const { return owner_[output]; }

  /// The connections of the loop that output `o`, which cannot be known, leads to.
  [[nodiscard]] std::vector<std::size_t> loop_from(std::size_t o) const {
    std::vector<std::size_t> path;
    std::vector<std::size_t> visited;
    while (std::ranges::find(visited, o) == visited.end()) {
      visited.push_back(o);
      path.push_back(*std::ranges::find_if(
          needs_[o], [&](std::size_t c) { return !known_[connections_[c].from]; }));
      o = connections_[path.back()].from;
    }
    const auto first = std::ranges::find(visited, o) - visited.begin();
    path.erase(path.begin(), path.begin() + first);
    std::ranges::reverse(path);  // found against the flow
    return path;
  }

 private:
  // The connections that an output depends on at once; those that are solved, or the others.
  [[nodiscard]] std::vector<std::size_t> needs_of(const model::Description& d,
                                                  std::string_view output, std::size_t first_input,
                                                  bool solved) const {
    std::vector<std::size_t> needs;
    for (std::size_t c = 0; c < connections_.size(); ++c) {
      const Connection& one = connections_[c];
      if (one.delayed || one.solved != solved || one.to < first_input ||
          one.to - first_input >= d.inputs.size())
        continue;
      const std::string_view input = d.inputs[one.to - first_input].name;
      const bool at_once =
          !d.feedthrough || std::ranges::any_of(*d.feedthrough, [&](const model::Feedthrough& f) {
            return f.output == output && f.input == input;
          });
      if (at_once) needs.push_back(c);
    }
    return needs;
  }

  [[nodiscard]] bool ready(std::size_t o) const {
    return std::ranges::all_of(needs_[o],
                               [&](std::size_t c) { return known_[connections_[c].from]; });
  }
  [[nodiscard]] std::size_t first_unknown(const std::vector<bool>& wanted) const {
    for (std::size_t o = 0; o < outputs(); ++o) {
      if (wanted[o] && !known_[o]) return o;
    }
    return none;
  }
  // One whose wanted outputs all become known; else one of whose some do.
  [[nodiscard]] std::size_t best_model(const std::vector<bool>& wanted) const {
    std::size_t some = none;
    for (std::size_t o = 0; o < outputs(); ++o) {
      if (!wanted[o] || known_[o] || !ready(o)) continue;
      if (complete(owner_[o], wanted)) return owner_[o];
      if (some == none) some = owner_[o];
    }
    return some;
  }
  [[nodiscard]] bool complete(std::size_t model, const std::vector<bool>& wanted) const {
    for (std::size_t o = 0; o < outputs(); ++o) {
      if (owner_[o] == model && wanted[o] && !known_[o] && !ready(o)) return false;
    }
    return true;
  }

  std::span<const Connection> connections_;
  std::vector<std::size_t> owner_;               // of each output, the model
  std::vector<std::vector<std::size_t>> needs_;  // of each output, connections
  std::vector<std::vector<std::size_t>> needs_solved_;
  std::vector<bool> known_;
};

}  // namespace

Ordered order_of(std::span<const model::Description* const> models,
                 std::span<const Connection> connections) {
  Graph graph(models, connections);
  std::vector<bool> connected(graph.outputs(), false);
  for (const Connection& c : connections) connected[c.from] = true;
  Ordered ordered;
  std::size_t unknown = graph.order(connected, ordered.sources);
  if (unknown == none) {
    unknown = graph.order(std::vector<bool>(graph.outputs(), true), ordered.all);
  }
  if (unknown != none) {
    ordered.loop = graph.loop_from(unknown);
    return ordered;
  }
  const std::vector<bool> looped = graph.looped();
  std::vector<bool> in_loop(models.size(), false);
  for (std::size_t o = 0; o < looped.size(); ++o) {
    if (looped[o]) in_loop[graph.owner(o)] = true;
  }
  for (const std::size_t m : ordered.sources) {
    if (in_loop[m]) ordered.loops.push_back(m);
  }
  for (std::size_t c = 0; c < connections.size(); ++c) {
    if (looped[connections[c].from] && graph.feeds(c, looped)) ordered.solved.push_back(c);
  }
  return ordered;
}

}  // namespace hild::coupled

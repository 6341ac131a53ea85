// SPDX-License-Identifier: Apache-2.0
#include "drivers/dds/task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "drivers/dds/page.hpp"

namespace hild::dds {
namespace {

/// A task is lines, in an order that is fixed: a text or a number each, lists behind their length.
class TaskWriter {
 public:
  void put(std::string_view text) { (lines_ += text) += '\n'; }
  void put(std::size_t number) { put(fmt::format("{}", number)); }
  [[nodiscard]] std::string take() { return std::move(lines_); }

 private:
  std::string lines_;
};

class TaskReader {
 public:
  explicit TaskReader(std::string_view lines) : rest_(lines) {}

  std::string_view text() {
    const std::size_t end = rest_.find('\n');
    if (end == rest_.npos) good_ = false;
    const std::string_view line = good_ ? rest_.substr(0, end) : std::string_view();
    rest_.remove_prefix(good_ ? end + 1 : rest_.size());
    return line;
  }
  std::size_t number(std::size_t most) {
    const std::string_view line = text();
    std::size_t value = 0;
    const auto [end, problem] = std::from_chars(line.data(), line.data() + line.size(), value);
    const bool whole = problem == std::errc{} && end == line.data() + line.size();
    if (!whole || value > most) good_ = false;
    return good_ ? value : 0;
  }
  [[nodiscard]] bool whole() const { return good_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

constexpr std::string_view first_line = "hild gateway 1";

void put_signals(TaskWriter& to, const std::vector<SignalName>& signals) {
  to.put(signals.size());
  for (const SignalName& s : signals) {
    to.put(s.name.view());
    to.put(s.unit.view());
  }
}

std::vector<SignalName> read_signals(TaskReader& from) {
  std::vector<SignalName> signals(from.number(most_values));
  for (SignalName& s : signals) {
    s.name = from.text();
    s.unit = from.text();
  }
  return signals;
}

}  // namespace

std::vector<std::size_t> GatewayTask::image_sizes() const {
  std::vector<std::size_t> sizes;
  for (const NodeInputs& one : inputs) sizes.push_back(one.signals.size());
  return sizes;
}

std::string packed(const GatewayTask& task) {
  TaskWriter to;
  to.put(first_line);
  to.put(task.device.view());
  to.put(static_cast<std::size_t>(task.domain));
  to.put(task.interface.view());
  to.put(task.peers.size());
  for (const Name& peer : task.peers) to.put(peer.view());
  to.put(task.system.view());
  to.put(task.node.view());
  to.put(static_cast<std::size_t>(task.priority));
  to.put(task.security);
  put_signals(to, task.outputs);
  to.put(task.inputs.size());
  for (const NodeInputs& one : task.inputs) {
    to.put(one.node.view());
    put_signals(to, one.signals);
  }
  return to.take();
}

Result<GatewayTask> unpacked(std::string_view bytes) {
  TaskReader from(bytes);
  if (from.text() != first_line) return fail("found a task of another build of hild");
  GatewayTask task;
  task.device = from.text();
  task.domain = static_cast<int>(from.number(232));
  task.interface = from.text();
  task.peers.resize(from.number(1000));
  for (Name& peer : task.peers) peer = from.text();
  task.system = from.text();
  task.node = from.text();
  task.priority = static_cast<int>(from.number(99));
  task.security = from.text();
  task.outputs = read_signals(from);
  task.inputs.resize(from.number(most_nodes));
  std::size_t values = 0;
  for (NodeInputs& one : task.inputs) {
    one.node = from.text();
    one.signals = read_signals(from);
    values += one.signals.size();
  }
  if (!from.whole() || values > most_values) return fail("found a task that breaks off");
  return task;
}

}  // namespace hild::dds

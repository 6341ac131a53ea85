// SPDX-License-Identifier: Apache-2.0
/// \file
/// Follows a run of `hild simulate`: writes rows to a file, shows progress on a terminal, keeps
/// events.
#pragma once

#include <boost/json.hpp>
#include <chrono>
#include <map>
#include <string>
#include <string_view>

#include "core/text_file.hpp"
#include "offline/reference/csv.hpp"
#include "offline/reference/simulation.hpp"

namespace hild::commands {

/// Writes rows, keeps the first events, shows progress on a terminal.
class Watch final : public reference::Observer {
 public:
  Watch(const model::Description& model, TextFile& rows, Duration duration);

  void row(double t, std::span<const double> u, std::span<const double> x,
           std::span<const double> y) override;
  void state_event(double t, std::size_t index, std::span<const double> x) override;
  bool go_on(double t, const reference::Counts& counts) override;

  void end_progress() const;
  [[nodiscard]] const boost::json::array& events() const { return events_; }
  [[nodiscard]] const std::map<std::string_view, std::int64_t>& count() const { return count_; }

 private:
  using Steady = std::chrono::steady_clock;

  void flush();
  void progress(double t, const reference::Counts& counts);

  const model::Description& model_;
  TextFile& rows_;
  double duration_;
  reference::Text text_;
  boost::json::array events_;
  std::map<std::string_view, std::int64_t> count_;
  bool terminal_;
  bool shown_ = false;
  Steady::time_point last_ = Steady::now();
  double before_ = 0;
};

}  // namespace hild::commands

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Keeps track of failures of the disk and of frames lost by them. A failure is reported when it
/// begins and when it is over, not for each block. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "hild/core/result.hpp"

namespace hild::framelog {

/// Steps of a block that could not be written.
struct Loss {
  std::int64_t first, last;
};

class DiskHealth {
 public:
  using Tell = std::function<void(const std::string&)>;
  explicit DiskHealth(Tell tell) : tell_(std::move(tell)) {}

  enum class Work { writing, syncing };
  void done(Work work, const Result<void>& how);
  /// Notes that another program moved the output; empty: it has its name again.
  void moved(const std::string& to);
  /// Notes that another program deleted the output or cut it, and with it so many frames. Nothing
  /// is written any more.
  void ruined(const std::string& harm, std::int64_t frames);

  void lose(std::int64_t frames);
  void lose(std::int64_t frames, Loss which);
  /// Notes frames that were written, but for which a failed sync leaves open whether they are on
  /// the disk.
  void doubt(std::int64_t frames);

  /// The losses noted by lose() since this was last called.
  [[nodiscard]] std::vector<Loss> losses();
  [[nodiscard]] std::int64_t lost();
  [[nodiscard]] std::int64_t unsure();
  /// The first failure; empty while there was none.
  [[nodiscard]] std::string error();
  [[nodiscard]] std::string moved_to();
  [[nodiscard]] bool is_ruined();

 private:
  Tell tell_;
  std::mutex mutex_;
  std::array<bool, 2> fails_{};  ///< by the kind of work
  std::string error_;
  std::string moved_to_;
  bool ruined_ = false;
  std::vector<Loss> losses_;
  std::int64_t lost_ = 0;
  std::int64_t unsure_ = 0;
};

}  // namespace hild::framelog

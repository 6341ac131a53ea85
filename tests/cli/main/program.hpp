// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runs the real program, as a user would: arguments in; exit code, words and D/A images out.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hild::test {

/// A directory that vanishes with what is in it, and names that no other test uses.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();

  [[nodiscard]] std::string path(const std::string& name) const { return path_ + "/" + name; }
  /// Writes a file and returns its path.
  std::string file(const std::string& name, const std::string& text) const;
  /// The name of a D/A image, removed from /dev/shm with the folder.
  [[nodiscard]] std::string image(const std::string& name = "rig");

 private:
  std::string path_;
  std::vector<std::string> images_;
};

[[nodiscard]] std::string read_file(const std::string& path);

/// How a program ended. Code: its exit code, or 128 + the signal it died of.
struct Ended {
  int code = -1;
  std::string out;
  std::string err;
};

/// Whether a node ended as it was asked to: without a fault, or, where a busy machine did not let
/// its gateway send the safe values in time, with words to that.
[[nodiscard]] inline bool ended_well(const Ended& ended) {
  return ended.code == 0 ||
         (ended.code == 4 &&
          ended.err.find("Not every output took its safe value") != std::string::npos);
}

struct Launch {
  /// Without root and without any limit that could be raised for real time.
  bool unprivileged = false;
  std::string notify_socket{};             ///< NOTIFY_SOCKET, where a service manager would listen
  std::string program{};                   ///< another copy of hild
  std::optional<unsigned> largest_file{};  ///< bytes: as on a disk that fills up
  std::string out{};                       ///< standard output goes to this file; "-": it is closed
  std::string err{};                       ///< standard error likewise
  bool unread = false;                     ///< who was to read its standard output left before
};

/// A hild that runs. Destroying it kills it.
class Program {
 public:
  explicit Program(std::vector<std::string> arguments, Launch launch = {});
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  void signal(int number) const;
  [[nodiscard]] int pid() const { return pid_; }
  /// Whether it is over, though nobody has waited for it.
  [[nodiscard]] bool ended() const;
  /// Waits until its standard error has `words`; false when a minute was not enough. What its guard
  /// says may come after its end.
  [[nodiscard]] bool says(const std::string& words) const;
  /// The reader of its standard output leaves, as `hild ... | head` does.
  void close_output();
  [[nodiscard]] Ended wait();

 private:
  Folder folder_;
  int pid_ = -1;
  int output_ = -1;
  std::string out_;
};

/// The configuration that is shipped as the demonstration.
inline const std::string demo = std::string(HILD_SOURCE_DIR) + "/config/demo.yaml";

/// Runs hild to its end.
[[nodiscard]] Ended hild(std::vector<std::string> arguments, Launch launch = {});

/// The voltages of a D/A image; nothing while there is none.
[[nodiscard]] std::optional<std::vector<double>> voltages(const std::string& image);
/// Waits until channel 0 of an image holds anything but `volts`; false when it never does.
[[nodiscard]] bool leaves(const std::string& image, double volts);

}  // namespace hild::test

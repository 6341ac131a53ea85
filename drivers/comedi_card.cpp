// SPDX-License-Identifier: Apache-2.0
// Opening a card and its calibration; what to do when the card says no.
#include <fcntl.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "drivers/comedi_lines.hpp"

namespace hild::comedi {
namespace {

template <class... Args>
auto refuse(fmt::format_string<Args...> text, Args&&... args) {
  return fail(ExitCode::device_failed, text, std::forward<Args>(args)...);
}

}  // namespace

std::string_view remedy(int error) noexcept {
  switch (error) {
    case ENOENT:
      return "load the card's driver (modprobe comedi, and for the simulated card modprobe "
             "comedi_test), or attach it with comedi_config";
    case EACCES:
    case EPERM:
      return "join the group of the device (usermod -aG iocard USER, then log in again), or end "
             "the program that has locked it (fuser -v on the path tells which)";
    case EBUSY:
      return "end the program that uses it (fuser -v on the path tells which)";
    case ENODEV:
    case ENXIO:
    case EIO:
      return "the card is not attached or has vanished: check it and its driver (dmesg), attach "
             "it again with comedi_config and restart";
    case ENOTTY:
      return "this is no Comedi device";
    case EINVAL:
      return "the card's driver refuses the value or the channel: see dmesg";
    case ETIMEDOUT:
      return "a conversion did not end in time: check clock and trigger of the card";
    default:
      return "see dmesg for what the card's driver says";
  }
}

Result<Card> open_card(const std::filesystem::path& path) {
  Card card(comedi_open(path.c_str()));
  if (!card) {
    const int error = comedi_errno();
    return refuse("cannot open {}: {}; {}", path.c_str(), comedi_strerror(error), remedy(error));
  }
  comedi_loglevel(0);  // it would print in the middle of a run; hild tells every failure itself
  comedi_set_global_oor_behavior(COMEDI_OOR_NUMBER);
  if (::fcntl(comedi_fileno(card.get()), F_SETFD, FD_CLOEXEC) != 0) {
    return refuse("cannot keep {} from programs started later: {}", path.c_str(),
                  std::strerror(errno));
  }
  return card;
}

std::filesystem::path calibration_file(comedi_t* card, const CalibrationChoice& choice) {
  if (choice.none || !choice.file.empty()) return choice.file;
  const std::unique_ptr<char, decltype(&std::free)> usual(comedi_get_default_calibration_path(card),
                                                          std::free);
  std::error_code unreadable;
  if (!usual || !std::filesystem::exists(usual.get(), unreadable)) return {};
  return usual.get();
}

Result<Calibration> load_calibration(comedi_t* card, const std::filesystem::path& file) {
  if (file.empty()) return Calibration();
  Calibration calibration(comedi_parse_calibration_file(file.c_str()));
  if (!calibration) return refuse("cannot read calibration file {}", file.c_str());
  const std::string_view driver = comedi_get_driver_name(card);
  const std::string_view board = comedi_get_board_name(card);
  if (calibration->driver_name != driver || calibration->board_name != board) {
    return refuse("calibration file {} is for {} {}, not for {} {}", file.c_str(),
                  calibration->driver_name, calibration->board_name, driver, board);
  }
  return calibration;
}

}  // namespace hild::comedi

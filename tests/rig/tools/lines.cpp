// SPDX-License-Identifier: Apache-2.0
//
// Digital lines by hand, for scripts in the guest: what a Comedi device has, and one port read or
// written.

#include <comedilib.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

constexpr const char* usage =
    "usage: lines DEVICE                         list the subdevices\n"
    "       lines DEVICE SUBDEVICE read          read the port\n"
    "       lines DEVICE SUBDEVICE write BITS    write the whole port, print what it reads back\n"
    "       lines DEVICE SUBDEVICE input|output  set the direction by channel 0\n";

int fail(const char* what) {
  std::fprintf(stderr, "lines: %s: %s\n", what, comedi_strerror(comedi_errno()));
  return 1;
}

const char* type_name(int type) {
  constexpr std::array names{
      "unused",  "analog input", "analog output", "digital input", "digital output", "digital",
      "counter", "timer",        "memory",        "calibration",   "processor",      "serial",
      "pwm"};
  return type >= 0 && type < static_cast<int>(names.size()) ? names[static_cast<std::size_t>(type)]
                                                            : "unknown";
}

int list(comedi_t* device) {
  std::printf("%s\n", comedi_get_board_name(device));
  for (unsigned s = 0; s < static_cast<unsigned>(comedi_get_n_subdevices(device)); ++s) {
    const int flags = comedi_get_subdevice_flags(device, s);
    std::printf("%u: %s, %d channels, maxdata %u%s%s%s\n", s,
                type_name(comedi_get_subdevice_type(device, s)), comedi_get_n_channels(device, s),
                comedi_get_maxdata(device, s, 0), (flags & SDF_READABLE) != 0 ? ", readable" : "",
                (flags & SDF_WRITABLE) != 0 ? ", writable" : "",
                (flags & SDF_CMD) != 0 ? ", commands" : "");
  }
  return 0;
}

int transfer(comedi_t* device, unsigned subdevice, unsigned mask, unsigned bits) {
  if (comedi_dio_bitfield2(device, subdevice, mask, &bits, 0) < 0) return fail("cannot transfer");
  std::printf("0x%02x\n", bits);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view verb = argc > 3 ? argv[3] : "";
  const bool write = verb == "write" && argc == 5;
  const bool direct = (verb == "input" || verb == "output") && argc == 4;
  if (argc != 2 && !(verb == "read" && argc == 4) && !write && !direct) {
    std::fputs(usage, stderr);
    return 1;
  }
  comedi_t* device = comedi_open(argv[1]);
  if (device == nullptr) return fail(argv[1]);
  if (argc == 2) return list(device);
  const auto subdevice = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 0));
  if (write)
    return transfer(device, subdevice, ~0U,
                    static_cast<unsigned>(std::strtoul(argv[4], nullptr, 0)));
  if (!direct) return transfer(device, subdevice, 0, 0);
  const unsigned direction = verb == "input" ? COMEDI_INPUT : COMEDI_OUTPUT;
  return comedi_dio_config(device, subdevice, 0, direction) < 0 ? fail("cannot set the direction")
                                                                : 0;
}

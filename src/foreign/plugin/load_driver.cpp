// SPDX-License-Identifier: Apache-2.0
#include "foreign/plugin/load_driver.hpp"

#include "foreign/plugin/shared_object.hpp"
#include "hild/io/plugin.hpp"

namespace hild::plugin {
namespace {

constexpr Kind kind_of_drivers{"driver",
                               io::driver_plugin_entry,
                               io::driver_plugin_abi,
                               io::driver_plugin_layout,
                               "hild_add_driver",
                               "HILD_DRIVER"};

Result<const io::Driver*> open_driver(const std::filesystem::path& file) {
  if (auto good = check_file(file); !good) return tl::make_unexpected(good.error());
  auto driver = open_one<io::Driver>(file, kind_of_drivers);
  if (driver && ((*driver)->name.empty() || (*driver)->make == nullptr)) {
    return fail(
        "its driver has no name, or nothing that makes a device; register it by HILD_DRIVER");
  }
  return driver;
}

}  // namespace

Result<const io::Driver*> load_driver(const std::filesystem::path& file) {
  // A name without `/` would be searched.
  auto driver = open_driver(std::filesystem::absolute(file));
  if (!driver) return refusal(file, driver.error());
  return driver;
}

}  // namespace hild::plugin

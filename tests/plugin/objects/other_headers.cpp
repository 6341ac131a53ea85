// SPDX-License-Identifier: Apache-2.0
/// Says that its descriptions have another size.
#include "hild/model/plugin.hpp"

extern "C" [[gnu::visibility("default")]] const hild::model::Plugin* hild_model_plugin() {
  using namespace hild::model;
  static constexpr Plugin plugin = [] {
    Plugin p{plugin_abi, sizeof(Plugin), plugin_library, plugin_layout, nullptr, 0};
    p.layout[1] += 8;
    return p;
  }();
  return &plugin;
}

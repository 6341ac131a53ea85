// SPDX-License-Identifier: Apache-2.0
/// Says that it was built for an interface that never was.
#include "hild/model/plugin.hpp"

extern "C" [[gnu::visibility("default")]] const hild::model::Plugin* hild_model_plugin() {
  static constexpr hild::model::Plugin plugin{99, sizeof(hild::model::Plugin), "", {}, nullptr, 0};
  return &plugin;
}

# SPDX-License-Identifier: Apache-2.0
# The models of the examples, as who has hild installed builds them: by hild_add_model(), into examples/ of the build
# folder, where the configurations look for them.
add_library(hild::model ALIAS hild_sdk)
set(hild_ENTRY ${PROJECT_SOURCE_DIR}/src/model/entry/plugin_entry.cpp)
include(.cmake/hildPlugins.cmake)
add_subdirectory(config/uses ${PROJECT_BINARY_DIR}/examples)

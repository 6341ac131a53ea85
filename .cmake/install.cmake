# SPDX-License-Identifier: Apache-2.0
# What is installed where. The client is in rooms.cmake, beside its target.
include(GNUInstallDirs)
install(TARGETS hild RUNTIME)

# systemd looks in /usr/lib and /lib only; below another prefix the files are there to be linked.
configure_file(${PROJECT_SOURCE_DIR}/systemd/hild@.service.in
  ${PROJECT_BINARY_DIR}/systemd/hild@.service @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/systemd/hild@.service DESTINATION lib/systemd/system)
install(FILES systemd/hild.sysusers.conf DESTINATION lib/sysusers.d RENAME hild.conf)
install(FILES systemd/hild.tmpfiles.conf DESTINATION lib/tmpfiles.d RENAME hild.conf)
install(FILES systemd/60-hild.rules DESTINATION lib/udev/rules.d)

# What authors of models and drivers include.
install(DIRECTORY include/hild DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY config/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)

# SPDX-License-Identifier: Apache-2.0
# What is installed where. The client is in rooms.cmake, beside its target.
include(GNUInstallDirs)
install(TARGETS hild RUNTIME)

# systemd looks below /usr and /usr/local; it finds hild in either bin.
install(FILES systemd/hild@.service DESTINATION lib/systemd/system)
install(FILES systemd/hild.sysusers.conf DESTINATION lib/sysusers.d RENAME hild.conf)
install(FILES systemd/hild.tmpfiles.conf DESTINATION lib/tmpfiles.d RENAME hild.conf)
install(FILES systemd/60-hild.rules DESTINATION lib/udev/rules.d)

# What authors of models and drivers include.
install(DIRECTORY include/hild DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY config/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)

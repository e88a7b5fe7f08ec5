# `cmake --install` puts the headers, a package that find_package(ricci) finds, a file for pkg-config and gdb's printers into a prefix. All of
# them find the headers from where they themselves stand, so that the prefix may be moved.
include_guard()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(folder "${CMAKE_INSTALL_DATADIR}/cmake/ricci")
install(TARGETS ricci EXPORT ricci FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/include/ricci/ricci.cppm" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/ricci")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/cmake/gdb/ricci.py" DESTINATION "${CMAKE_INSTALL_DATADIR}/ricci/gdb")
install(EXPORT ricci NAMESPACE ricci:: DESTINATION "${folder}" FILE ricciTargets.cmake)

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/ricciConfig.cmake.in" "${PROJECT_BINARY_DIR}/ricciConfig.cmake"
  INSTALL_DESTINATION "${folder}" PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ricciConfigVersion.cmake" COMPATIBILITY SameMinorVersion
                                 ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/ricciConfig.cmake" "${PROJECT_BINARY_DIR}/ricciConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/ricci_module.cmake" "${PROJECT_SOURCE_DIR}/cmake/ricci_io.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/ricci_lapack.cmake"
        DESTINATION "${folder}")

# ricci.pc: in a folder for what depends on no architecture
set(folder "${CMAKE_INSTALL_DATADIR}/pkgconfig")
cmake_path(IS_ABSOLUTE folder fixed)
if(fixed)
  set(prefix "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH up "/${folder}" "/")
  string(REGEX REPLACE "/$" "" up "${up}")
  set(prefix "\${pcfiledir}/${up}")
endif()
set(include_folder "\${prefix}")
cmake_path(APPEND include_folder "${CMAKE_INSTALL_INCLUDEDIR}") # which may be absolute, too
get_target_property(definitions ricci INTERFACE_COMPILE_DEFINITIONS)
set(flags "-I\${includedir}")
if(definitions)
  list(TRANSFORM definitions PREPEND "-D")
  list(JOIN definitions " " definitions)
  string(APPEND flags " ${definitions}")
endif()
file(
  CONFIGURE
  OUTPUT "${PROJECT_BINARY_DIR}/ricci.pc"
  CONTENT
    [[prefix=@prefix@
includedir=@include_folder@

Name: ricci
Description: @PROJECT_DESCRIPTION@
Version: @PROJECT_VERSION@
Cflags: @flags@
Libs: -pthread
]]
  @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/ricci.pc" DESTINATION "${folder}")

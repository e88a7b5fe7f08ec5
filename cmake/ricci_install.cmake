# `cmake --install` puts the headers and a package that find_package(ricci) finds into a prefix.
include_guard()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(folder "${CMAKE_INSTALL_DATADIR}/cmake/ricci")
install(TARGETS ricci EXPORT ricci FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT ricci NAMESPACE ricci:: DESTINATION "${folder}" FILE ricciTargets.cmake)

file(
  CONFIGURE
  OUTPUT "${PROJECT_BINARY_DIR}/ricciConfig.cmake"
  CONTENT
    [[include(CMakeFindDependencyMacro)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_dependency(Threads)
include("${CMAKE_CURRENT_LIST_DIR}/ricciTargets.cmake")
]]
  @ONLY)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ricciConfigVersion.cmake" COMPATIBILITY SameMinorVersion
                                 ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/ricciConfig.cmake" "${PROJECT_BINARY_DIR}/ricciConfigVersion.cmake"
        DESTINATION "${folder}")

# An overlay port: it lies in a clone of ricci and builds the package from that clone,
#   vcpkg install ricci --overlay-ports=<clone>/cmake/packaging/vcpkg
# In a registry, vcpkg_from_git would give SOURCE_PATH.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../../.." ABSOLUTE)

set(VCPKG_BUILD_TYPE release) # headers only
vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES xsimd RICCI_XSIMD)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${options} -DRICCI_TESTS=OFF -DRICCI_EXAMPLES=OFF -DRICCI_BENCHMARKS=OFF -DRICCI_INSTALL=ON -DRICCI_FETCH=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/ricci)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/doc") # its licence is the copyright file
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
file(INSTALL "${CURRENT_PORT_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")

# Builds and runs user/, which gets ricci in one of these ways:
#   subdirectory   add_subdirectory of the sources
#   fetch_content  FetchContent from a git repository
#   package        find_package in a folder where ricci was installed, and which was moved afterwards
#   pkg_config     a compiler called with what pkg-config says about such a folder
# With -DMODULE=ON its program imports the module, with -DPRECOMPILED=ON its headers are compiled beforehand.
# Call: cmake -DWAY=<way> [-DMODULE=ON] [-DPRECOMPILED=ON] -DRICCI=<source folder> -DRICCI_BUILD=<its build> -DCOMPILER=<c++>
# -DGENERATOR=<name> -DFOLDER=<for outputs> -P run.cmake
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")

if(WAY STREQUAL "pkg_config")
  require_program(PKG_CONFIG pkg-config pkgconf)
elseif(WAY STREQUAL "fetch_content")
  require_program(GIT git)
endif()
set(user "${CMAKE_CURRENT_LIST_DIR}/user")
set(where "")
file(REMOVE_RECURSE "${FOLDER}")
if(WAY MATCHES "^(package|pkg_config)$")
  run("${CMAKE_COMMAND}" --install "${RICCI_BUILD}" --prefix "${FOLDER}/installed")
  file(RENAME "${FOLDER}/installed" "${FOLDER}/moved")
  set(where "-DCMAKE_PREFIX_PATH=${FOLDER}/moved")
elseif(WAY STREQUAL "fetch_content")
  # a repository of the files as they are now, also of those that are not committed
  set(repository "${FOLDER}/repository")
  foreach(file CMakeLists.txt LICENSE cmake include)
    file(COPY "${RICCI}/${file}" DESTINATION "${repository}")
  endforeach()
  set(git "${GIT}" -C "${repository}" -c user.name=test -c user.email=test@localhost -c commit.gpgsign=false)
  run(${git} init -q -b main)
  run(${git} add -A)
  run(${git} commit -q -m all)
  set(where "-DRICCI_REPOSITORY=file://${repository}")
else()
  set(where "-DRICCI_FOLDER=${RICCI}")
endif()

if(WAY STREQUAL "pkg_config")
  set(ENV{PKG_CONFIG_PATH} "${FOLDER}/moved/share/pkgconfig")
  output_of(flags "${PKG_CONFIG}" --cflags --libs ricci)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  set(program "${FOLDER}/program")
  run("${COMPILER}" -std=c++20 "${user}/program.cpp" -o "${program}" ${flags})
else()
  set(program "${FOLDER}/build/program")
  run("${CMAKE_COMMAND}" -S "${user}" -B "${FOLDER}/build" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}"
      "-DMODULE=${MODULE}" "-DPRECOMPILED=${PRECOMPILED}" "${where}")
  run("${CMAKE_COMMAND}" --build "${FOLDER}/build")
endif()
run("${program}")

"""Conan 2 recipe. It lies in a clone of ricci and packages that clone: conan create <clone>/cmake/packaging/conan"""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, load
from conan.tools.layout import basic_layout


class Ricci(ConanFile):
    name = "ricci"
    description = "A header-only C++20 expression-template tensor library"
    license = "MIT"
    topics = ("tensor", "automatic-differentiation", "simd", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"xsimd": [True, False]}
    default_options = {"xsimd": True}
    no_copy_source = True

    @property
    def _clone(self):
        return os.path.join(self.recipe_folder, "..", "..", "..")

    def set_version(self):
        config = load(self, os.path.join(self._clone, "include", "ricci", "core", "config.hpp"))
        self.version = ".".join(re.findall(r"#define RICCI_VERSION_\w+ (\d+)", config))

    def export_sources(self):
        copy(self, "LICENSE", self._clone, self.export_sources_folder)
        copy(self, "include/*", self._clone, self.export_sources_folder)

    def layout(self):
        basic_layout(self)

    def requirements(self):
        if self.options.xsimd:
            self.requires("xsimd/[>=8.1]", transitive_headers=True)

    def validate(self):
        check_min_cppstd(self, 20)

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        copy(self, "*", os.path.join(self.source_folder, "include"), os.path.join(self.package_folder, "include"))

    def package_id(self):
        self.info.clear()  # the same headers for all; settings and options act where they are compiled

    def package_info(self):
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        if not self.options.xsimd:
            self.cpp_info.defines = ["RICCI_NO_XSIMD"]
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["pthread"]

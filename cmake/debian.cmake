# The Debian packages that cpack builds: one to run programs, and one to build them.

set(IMD_RUNTIME_PACKAGE libimmutabledata${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(IMD_DEVELOPMENT_PACKAGE libimmutabledata-dev)

set(CMAKE_INSTALL_DOCDIR ${CMAKE_INSTALL_DATADIR}/doc/${IMD_DEVELOPMENT_PACKAGE})
install(FILES cmake/copyright
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${IMD_RUNTIME_PACKAGE} COMPONENT runtime)
install(FILES cmake/copyright CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL runtime development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGE_CONTACT "The immutabledata maintainers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "application-state engine with a C ABI")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "${IMD_HOMEPAGE}")
# Package checkers reject folders that the group can write.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_POST_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_installed_size.cmake)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME ${IMD_RUNTIME_PACKAGE})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "An application-state engine for C, C++, Python and Swift: Redux's one-way data
flow over immutable values. This package is what programs need at run time.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME ${IMD_DEVELOPMENT_PACKAGE})
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${IMD_RUNTIME_PACKAGE} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libjansson-dev, libsqlite3-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "An application-state engine for C, C++, Python and Swift: Redux's one-way data
flow over immutable values. This package has the headers, the files for
pkg-config and CMake, the Swift sources for libraries with domains of their own,
examples, and suppressions for valgrind.")

include(CPack)

# The Debian packages that cpack builds: one to run programs, and one to build them.

set(IMD_SERIES ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(IMD_RUNTIME_PACKAGE libimmutabledata-postgresql${IMD_SERIES})
set(IMD_DEVELOPMENT_PACKAGE libimmutabledata-postgresql-dev)
set(IMD_SHARED "${CMAKE_CURRENT_LIST_DIR}/../../../cmake")

foreach(component IN ITEMS RUNTIME DEVELOPMENT)
  string(TOLOWER ${component} name)
  install(FILES "${IMD_SHARED}/copyright"
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${IMD_${component}_PACKAGE} COMPONENT ${name})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL runtime development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGE_CONTACT "The immutabledata maintainers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "logs of immutabledata in PostgreSQL")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "${IMD_HOMEPAGE}")
# Package checkers reject folders that the group can write.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_POST_BUILD_SCRIPTS "${IMD_SHARED}/debian_installed_size.cmake")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME ${IMD_RUNTIME_PACKAGE})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "A log driver of immutabledata, an application-state engine: it keeps the log of
a store in a PostgreSQL database, where programs on several machines append to
it. This package is what programs need at run time.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME ${IMD_DEVELOPMENT_PACKAGE})
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${IMD_RUNTIME_PACKAGE} (= ${PROJECT_VERSION}), \
libimmutabledata-dev (>= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "A log driver of immutabledata, an application-state engine: it keeps the log of
a store in a PostgreSQL database, where programs on several machines append to
it. This package has the header, and the file for pkg-config.")

include(CPack)

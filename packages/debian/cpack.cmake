# For cpack: what is the same in a deb and an rpm. packages/debian/pack gives the rest.
set(CPACK_PACKAGE_NAME mockddb)
set(CPACK_PACKAGE_VENDOR "The mockddb authors")
set(CPACK_PACKAGE_CONTACT "The mockddb authors <mockddb@users.noreply.github.com>")
set(CPACK_PACKAGE_HOMEPAGE_URL https://github.com/mockddb/mockddb)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "offline server for programs that use Amazon DynamoDB")
set(CPACK_PACKAGE_DESCRIPTION "One program that answers as Amazon DynamoDB does, for development and tests.
It needs no network and no account. systemctl enable --now mockddb.socket has it started by the first request.")
set(CPACK_PACKAGING_INSTALL_PREFIX /)
set(CPACK_SET_DESTDIR OFF)

set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_RPM_PACKAGE_LICENSE MIT)
set(CPACK_RPM_PACKAGE_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}")
set(CPACK_RPM_PACKAGE_AUTOREQPROV no)
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/share/man /usr/share/man/man1 /usr/share/bash-completion
    /usr/share/bash-completion/completions /usr/share/zsh /usr/share/zsh/site-functions /usr/share/fish
    /usr/share/fish/vendor_completions.d /usr/lib/systemd /usr/lib/systemd/system)
# rpmbuild strips nothing, and the same files give the same package.
set(CPACK_RPM_SPEC_MORE_DEFINE "%define __os_install_post %{nil}
%define debug_package %{nil}
%define _build_id_links none
%define _buildhost localhost
%define use_source_date_epoch_as_buildtime 1
%define source_date_epoch_from_changelog 0
%define clamp_mtime_to_source_date_epoch 1")

# SPDX-License-Identifier: Apache-2.0
# The toolchain file of the preset `aarch64`: the cross compiler of Debian, the arm64 libraries that Debian installs beside those of x86-64
# (multiarch), and qemu-user for the tests. `packaging/cross_test` makes a system with all of them (PORTING.md).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)
# Tools such as moc run on the build machine.
set(QT_HOST_PATH /usr)
set(QT_HOST_PATH_CMAKE_DIR /usr/lib/x86_64-linux-gnu/cmake)
# GCC does not find ld.mold or ld.lld for another architecture.
set(SEPX_LINKER "" CACHE STRING "The linker of binutils")

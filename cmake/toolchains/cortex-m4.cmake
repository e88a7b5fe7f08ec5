# A Cortex-M4 with its floating-point unit and no operating system: Debian's gcc-arm-none-eabi and libstdc++-arm-none-eabi-newlib,
# and qemu-system-arm to run what they make. Without unwind tables, which only exceptions need, and without notes on calls that g++
# made otherwise before version 10.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR cortex-m4)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_CXX_FLAGS_INIT "-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -fno-exceptions -fno-rtti -ffunction-sections \
-fdata-sections -fno-unwind-tables -fno-asynchronous-unwind-tables -Wno-psabi")
set(CMAKE_EXE_LINKER_FLAGS_INIT -Wl,--gc-sections)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # a program needs a board's memory map
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-system-arm -M mps2-an386 -semihosting-config enable=on,target=native -display none -serial none
    -monitor none -kernel)
# doctest is the same for all machines, so that this one's serves
set(CMAKE_INCLUDE_PATH /usr/local/include /usr/include)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)

// What a Cortex-M4 does before newlib's start-up, which clears memory, asks the emulator for the command line, runs
// constructors and main, and tells the emulator the exit status.
#include <cstdint>

extern "C" {
extern std::uint32_t __stack[];  // from board.ld
[[noreturn]] void reset();
[[noreturn]] void fault();
[[noreturn]] void _start();
[[noreturn]] void _exit(int);
}

// Enables the FPU.
void reset() {
  *reinterpret_cast<std::uint32_t volatile*>(0xe000ed88) |= 0xf << 20;  // CPACR: coprocessors 10 and 11
  asm volatile("dsb\n isb");
  _start();
}
void fault() { _exit(70); }

// the initial stack pointer, reset, and the fault handlers
[[gnu::section(".vectors"), gnu::used]] static void* const vectors[] = {__stack,
                                                                        reinterpret_cast<void*>(&reset),
                                                                        reinterpret_cast<void*>(&fault),
                                                                        reinterpret_cast<void*>(&fault),
                                                                        reinterpret_cast<void*>(&fault),
                                                                        reinterpret_cast<void*>(&fault),
                                                                        reinterpret_cast<void*>(&fault)};

// What a Cortex-M4 does before and after main: no C library is initialised, since nothing here needs one. Text goes
// through semihosting, which an emulator or a debugger answers (Arm, Semihosting for AArch32 and AArch64, release 2.0).
#include <cstdint>

#include "../output.hpp"

int main();

extern "C" {
// from board.ld
extern std::uint32_t data_begin[], data_end[], data_in_flash[], zero_begin[], zero_end[], stack_bottom[], stack_top[];
[[noreturn]] void start();
[[noreturn]] void fault();
}

namespace {

enum : std::uint32_t { open = 1, write0 = 4, write = 5, exit_extended = 0x20, application_exit = 0x20026 };

std::uint32_t ask_host(std::uint32_t operation, void const* arguments) {
  register std::uint32_t r0 asm("r0") = operation;
  register void const* r1 asm("r1") = arguments;
  asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}
[[noreturn]] void leave(std::uint32_t status) {
  std::uint32_t const arguments[] = {application_exit, status};
  for (;;) ask_host(exit_extended, arguments);
}

constexpr std::uint32_t untouched = 0x5eed5eed;

// on the host's standard error, beside what the program itself says: how far the stack grew down
void report_stack() {
  std::uint32_t const* deepest = stack_bottom;
  while (deepest < stack_top && *deepest == untouched) ++deepest;
  std::uint32_t n = static_cast<std::uint32_t>(stack_top - deepest) * 4;
  char text[] = "stack       bytes\n";
  for (int k = 10; k >= 6 && n > 0; --k, n /= 10) text[k] = static_cast<char>('0' + n % 10);
  ask_host(write0, text);
}

}  // namespace

// Copies initial values to RAM, clears what starts as zero, marks the stack, and enables the FPU.
void start() {
  for (auto *to = data_begin, *from = data_in_flash; to < data_end;) *to++ = *from++;
  for (auto* to = zero_begin; to < zero_end;) *to++ = 0;
  for (auto* to = stack_bottom; to < static_cast<std::uint32_t*>(__builtin_frame_address(0)) - 16;) *to++ = untouched;
  *reinterpret_cast<std::uint32_t volatile*>(0xe000ed88) |= 0xf << 20;  // CPACR: coprocessors 10 and 11
  asm volatile("dsb\n isb");
  int const status = main();
  report_stack();
  leave(static_cast<std::uint32_t>(status));
}

void fault() {
  ask_host(write0, "fault\n");
  leave(70);
}

// ricci's errors end in abort(): there is no one else to tell
extern "C" [[noreturn]] void abort() { fault(); }

// the initial stack pointer, reset, and the fault handlers
[[gnu::section(".vectors"), gnu::used]] static void* const vectors[] = {stack_top,
                                                                        reinterpret_cast<void*>(&start),
                                                                        reinterpret_cast<void*>(&fault),
                                                                        reinterpret_cast<void*>(&fault),
                                                                        reinterpret_cast<void*>(&fault),
                                                                        reinterpret_cast<void*>(&fault),
                                                                        reinterpret_cast<void*>(&fault)};

void say(char const* text) {
  static std::uint32_t console = 0;  // the host's handles start at 1
  if (console == 0) {
    struct {
      char const* name;
      std::uint32_t mode, length;
    } const to_output{":tt", 4, 3};  // mode "w"
    console = ask_host(open, &to_output);
  }
  std::uint32_t length = 0;
  while (text[length]) ++length;
  struct {
    std::uint32_t handle;
    char const* text;
    std::uint32_t length;
  } const what{console, text, length};
  ask_host(write, &what);
}

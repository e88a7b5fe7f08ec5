// Where the text goes: the standard output of a PC (host.cpp), the debugger of a board (board/start.cpp).
#pragma once

void say(char const* text);

#include <cstdio>

#include "output.hpp"

void say(char const* text) { std::fputs(text, stdout); }

// Where names stand: one kind of map for all who look for them, since each kind costs every file that includes it
// 25 ms.
#pragma once

#include <map>
#include <string>

namespace ricci::files {

using places_by_name = std::map<std::string, std::size_t, std::less<>>;

}  // namespace ricci::files

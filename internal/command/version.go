package command

import "runtime/debug"

// version returns the version of the module, such as "v1.2.0"; "(devel)" for a
// build that has none.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// Package build knows which build of the module is running.
package build

import "runtime/debug"

// Version returns the version of the module, such as "v1.2.0"; "(devel)" for a
// build that has none.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

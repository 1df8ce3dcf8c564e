package main

import "cmp"

// frameworkLog is the level of the plugin framework's own log, if none was set
// by TF_LOG_SDK_FRAMEWORK: that of the log that the CLI shows. The framework
// writes several lines for each attribute of each object, each slower than the
// one before. Without this it writes them even if nobody reads them, which took
// most of the CPU of a plan: 44 of 49 seconds for a group of 2,000 prompts.
func frameworkLog(environment func(name string) string) (variable, level string) {
	variable = "TF_LOG_SDK_FRAMEWORK"
	return variable, cmp.Or(environment(variable), environment("TF_LOG_PROVIDER"), environment("TF_LOG"), "OFF")
}

package main

import "cmp"

// sdkLogs are the logs of the plugin SDK and of the framework, by the variables
// that set their levels.
var sdkLogs = []string{"TF_LOG_SDK_PROTO", "TF_LOG_SDK_FRAMEWORK"}

// sdkLogLevel is the level of one of the sdkLogs, if none was set for it: that
// of the log that the CLI shows. The framework writes several lines for each
// attribute of each object, each slower than the one before. Without this it
// writes them even if nobody reads them, which took most of the CPU of a plan:
// 44 of 49 seconds for a group of 2,000 prompts.
func sdkLogLevel(variable string, environment func(name string) string) string {
	return cmp.Or(environment(variable), environment("TF_LOG_SDK"), environment("TF_LOG_PROVIDER"), environment("TF_LOG"), "OFF")
}

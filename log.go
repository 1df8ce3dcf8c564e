package main

import (
	"cmp"
	"os"
)

// setSDKLogs sets the levels of the logs that nobody has asked for.
func setSDKLogs() error {
	for _, variable := range sdkLogs {
		if err := os.Setenv(variable, sdkLogLevel(variable, os.Getenv)); err != nil {
			return err
		}
	}
	return nil
}

// sdkLogs are the variables that set the levels of the plugin SDK's logs and of
// the framework's.
var sdkLogs = []string{"TF_LOG_SDK_PROTO", "TF_LOG_SDK_FRAMEWORK"}

// sdkLogLevel is the level of one of the sdkLogs: if none was set for it, that
// of the log that the CLI shows. The framework writes several lines for each
// attribute of each object, each slower than the one before, even if nobody
// reads them. That took most of the CPU of a plan: 44 of 49 seconds for a group
// of 2,000 prompts.
func sdkLogLevel(variable string, environment func(name string) string) string {
	return cmp.Or(
		environment(variable),
		environment("TF_LOG_SDK"),
		environment("TF_LOG_PROVIDER"),
		environment("TF_LOG"),
		"OFF",
	)
}

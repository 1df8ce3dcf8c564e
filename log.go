package main

import (
	"cmp"
	"os"
)

// setSDKLogs sets the levels of the logs that the user has not set.
func setSDKLogs() error {
	for _, variable := range sdkLogs {
		if err := os.Setenv(variable, sdkLogLevel(variable, os.Getenv)); err != nil {
			return err
		}
	}
	return nil
}

// sdkLogs are the variables of the log levels of the plugin SDK and of the
// framework.
var sdkLogs = []string{"TF_LOG_SDK_PROTO", "TF_LOG_SDK_FRAMEWORK"}

// sdkLogLevel returns the level of one of the sdkLogs: the configured level, or
// else the level of the log that the CLI shows. The framework writes several
// lines for each attribute of each object, each slower than the one before,
// even if nobody reads them. They took most of the CPU of a plan: 44 of 49
// seconds for a group of 2,000 prompts.
func sdkLogLevel(variable string, environment func(name string) string) string {
	return cmp.Or(
		environment(variable),
		environment("TF_LOG_SDK"),
		environment("TF_LOG_PROVIDER"),
		environment("TF_LOG"),
		"OFF",
	)
}

package main

import "testing"

func TestSDKLogLevel(t *testing.T) {
	t.Parallel()
	for want, environment := range map[string]map[string]string{
		"OFF":   {"TF_LOG_SDK_PROTO": "TRACE"},
		"TRACE": {"TF_LOG": "TRACE"},
		"INFO":  {"TF_LOG": "TRACE", "TF_LOG_PROVIDER": "INFO"},
		"WARN":  {"TF_LOG_PROVIDER": "INFO", "TF_LOG_SDK": "WARN"},
		"DEBUG": {"TF_LOG_PROVIDER": "INFO", "TF_LOG_SDK": "WARN", "TF_LOG_SDK_FRAMEWORK": "DEBUG"},
	} {
		if level := sdkLogLevel(
			"TF_LOG_SDK_FRAMEWORK",
			func(name string) string { return environment[name] },
		); level != want {
			t.Errorf("%v: the framework logs at %s, want %s", environment, level, want)
		}
	}
}

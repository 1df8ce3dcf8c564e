package main

import "testing"

func TestFrameworkLog(t *testing.T) {
	t.Parallel()
	for want, environment := range map[string]map[string]string{
		"OFF":   {},
		"TRACE": {"TF_LOG": "TRACE"},
		"INFO":  {"TF_LOG": "TRACE", "TF_LOG_PROVIDER": "INFO"},
		"DEBUG": {"TF_LOG_PROVIDER": "INFO", "TF_LOG_SDK_FRAMEWORK": "DEBUG"},
	} {
		if _, level := frameworkLog(func(name string) string { return environment[name] }); level != want {
			t.Errorf("%v: the framework logs at %s, want %s", environment, level, want)
		}
	}
}

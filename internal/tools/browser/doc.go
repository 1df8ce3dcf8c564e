// Package browser tests the mock service's dashboard in a real Chromium, while a
// real CLI applies examples/pipeline: make test-dashboard. It is a module of its
// own, so that the provider does not depend on a browser's driver.
package browser

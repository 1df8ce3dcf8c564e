// Package browser tests pages in a real Chromium, from real runs of a CLI: the mock
// service's dashboard, while examples/pipeline is applied, and the gallery of
// downloaded pictures: make test-dashboard. It is a module of its
// own, so that the provider does not depend on a browser's driver.
package browser

// Package framework contains helpers for the plugin framework, one concept per
// file. It knows no resource by name.
package framework

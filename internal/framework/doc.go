// Package framework is the glue between the plugin framework and the types
// of this provider: one concept a file. It knows no resource by name.
package framework

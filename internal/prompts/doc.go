// Package prompts holds the rules of a generation group: what is bought, kept and
// deleted to get from what a group has to what is wanted of it. It knows neither
// Terraform nor the service: values in, values out.
package prompts

// Package run is what the provider gives each of its types: the data that one plan
// or apply shares, and the resources, data sources, lists and actions that are
// made of a description and these data. It knows no type by name.
//
//	data.go             ProviderData: the purchaser with its client, and the facts
//	                    below; runs.go: where one run ends and the next begins
//	holders.go          which objects hold a group, a generation or a job
//	character_plans.go  what the plan makes of each character
//	warnings.go         what a run says once
//	resource.go         embedded by each resource; identified.go: by each resource
//	                    with an id, its identity and import; import.go, state.go
//	data_source.go, list.go, action_type.go   descriptions with New
package run

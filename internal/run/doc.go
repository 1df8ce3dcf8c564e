// Package run holds everything that the provider gives to its types: the data
// that one plan or apply shares, and the resources, data sources, lists and
// actions that are built from a description and these data. It knows no type by
// name.
//
//	data.go             ProviderData: the purchaser with its client, and the facts
//	                    below; runs.go: where one run ends and the next begins;
//	                    command.go: what the CLI is doing
//	holders.go          which objects hold a group, a generation or a job
//	character_plans.go  facts about each character that plans record
//	warnings.go         messages that a run shows once
//	resource.go         embedded by each resource; identified.go: embedded by each
//	                    resource with an id, with its identity and import;
//	                    import.go, state.go
//	data_source.go, list.go, action_type.go   descriptions with New
//	messages.go, messages_types.go            the messages
package run

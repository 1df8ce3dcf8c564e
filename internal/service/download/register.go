package download

import "github.com/hashicorp/terraform-plugin-framework/action"

// Actions are the actions of this domain.
func Actions() []func() action.Action {
	return []func() action.Action{newDownloadGenerations}
}

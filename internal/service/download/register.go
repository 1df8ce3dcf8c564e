package download

import "github.com/hashicorp/terraform-plugin-framework/action"

// Actions are the actions of this domain.
var Actions = []func() action.Action{newDownloadGenerations}

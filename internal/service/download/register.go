package download

import "github.com/hashicorp/terraform-plugin-framework/action"

// Actions are those of this domain.
var Actions = []func() action.Action{newDownloadGenerations}

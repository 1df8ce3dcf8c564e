package generation

import (
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// The types of this domain.
var (
	Resources     = []func() resource.Resource{newGroupResource}
	DataSources   = []func() datasource.DataSource{newGenerationDataSource}
	ListResources = []func() list.ListResource{newGroupList}
	Actions       = []func() action.Action{newAwaitGenerations}
	Functions     = []func() function.Function{
		func() function.Function { return promptsFunction{} },
		func() function.Function { return promptMatrix{} },
	}
)

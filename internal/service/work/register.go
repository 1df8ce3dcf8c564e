package work

import (
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// The types of this domain.
var (
	Resources = []func() resource.Resource{
		newRegenerationResource,
		datasets.resource,
		newApprovalResource,
		bodyLoRA.resource,
		faceLoRA.resource,
	}
	DataSources   = []func() datasource.DataSource{newImagesDataSource, newTrainingStatusDataSource}
	ListResources = []func() list.ListResource{bodyLoRA.listResource, faceLoRA.listResource}
	Actions       = []func() action.Action{newAwaitTraining, newCancelTraining}
)

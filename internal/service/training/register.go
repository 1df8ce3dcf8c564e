package training

import (
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// Resources are the managed resources of this domain.
func Resources() []func() resource.Resource {
	return []func() resource.Resource{bodyLoRA.resource, faceLoRA.resource}
}

// DataSources are the data sources of this domain.
func DataSources() []func() datasource.DataSource {
	return []func() datasource.DataSource{newTrainingStatusDataSource}
}

// ListResources are the types of this domain that can be listed.
func ListResources() []func() list.ListResource {
	return []func() list.ListResource{bodyLoRA.listResource, faceLoRA.listResource}
}

// Actions are the actions of this domain.
func Actions() []func() action.Action {
	return []func() action.Action{newAwaitTraining, newCancelTraining}
}

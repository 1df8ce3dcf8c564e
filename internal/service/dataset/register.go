package dataset

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// Resources are the managed resources of this domain.
func Resources() []func() resource.Resource {
	return []func() resource.Resource{newRegenerationResource, newDatasetResource, newApprovalResource}
}

// DataSources are the data sources of this domain.
func DataSources() []func() datasource.DataSource {
	return []func() datasource.DataSource{newImagesDataSource}
}

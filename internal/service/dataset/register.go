package dataset

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// The types of this domain.
var (
	Resources   = []func() resource.Resource{newRegenerationResource, newDatasetResource, newApprovalResource}
	DataSources = []func() datasource.DataSource{newImagesDataSource}
)

package character

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// The types of this domain.
var (
	Resources   = []func() resource.Resource{newCharacterResource, faceImages.resource, bodyImages.resource}
	DataSources = []func() datasource.DataSource{
		newCharacterDataSource,
		newCharactersDataSource,
		newAssetsDataSource,
		newCapabilitiesDataSource,
	}
	ListResources = []func() list.ListResource{newCharacterList, faceImages.listResource}
)

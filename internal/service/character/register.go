package character

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// Resources are the managed resources of this domain.
func Resources() []func() resource.Resource {
	return []func() resource.Resource{newCharacterResource, faceImages.resource, bodyImages.resource}
}

// DataSources are the data sources of this domain.
func DataSources() []func() datasource.DataSource {
	return []func() datasource.DataSource{
		newCharacterDataSource, newCharactersDataSource, newAssetsDataSource, newCapabilitiesDataSource,
	}
}

// ListResources are the types of this domain that can be listed.
func ListResources() []func() list.ListResource {
	return []func() list.ListResource{newCharacterList, faceImages.listResource}
}

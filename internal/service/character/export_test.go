package character

import (
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// BodyImages are a kind of image that the interface does not show.
func BodyImages() (resource.Resource, list.ListResource) {
	kind := imageKind{typeName: "body_image", noun: "body image", title: "Body Image"}
	return &imageResource{kind: kind}, newImageList(kind)
}

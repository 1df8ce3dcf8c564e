package character

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// imageKind is a kind of image that is uploaded for a character: a managed and
// a list resource.
type imageKind struct {
	api.ImageKind
	// typeName is the type's name without the provider's.
	typeName string
	// noun is for sentences, title for summaries.
	noun, title string
}

var faceImages = imageKind{ImageKind: api.FaceImages, typeName: "face_image", noun: "face image", title: "Face Image"}

func newFaceImageResource() resource.Resource { return &imageResource{kind: faceImages} }

func newFaceImageList() list.ListResource { return newImageList(faceImages) }

func (k imageKind) object(image *imageModel) string {
	return fmt.Sprintf("%s %q of character %q", k.noun, image.ID.ValueString(), image.CharacterID.ValueString())
}

func (k imageKind) failure(verb string, image *imageModel) framework.Failure {
	return framework.Failure{Verb: verb, Noun: k.title, NotFound: path.Root("character_id"), Object: k.object(image)}
}

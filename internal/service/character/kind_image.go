package character

import (
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// imageKind is a kind of image that is uploaded for a character: a managed
// resource, and maybe a list resource.
type imageKind struct {
	api.ImageKind
	// typeName is the type's name without the provider's.
	typeName string
	// noun is for sentences, title for summaries.
	noun, title string
	// origin says what else is known of the upload.
	origin string
	// unread names what an import cannot read, and takes over from the configuration.
	unread string
}

var (
	faceImages = imageKind{
		ImageKind: api.FaceImages, typeName: "face_image", noun: "face image", title: "Face Image", unread: "source and file name",
		origin: " The service may refuse images under 512 by 512 pixels, blurred ones, and more than 20 of a character.",
	}
	bodyImages = imageKind{
		ImageKind: api.BodyImages, typeName: "body_image", noun: "body image", title: "Body Image", unread: "source, file name and image_type",
		origin: " The service may refuse more than 40 body images of a character.\n\nOnly some deployments have this upload. A dataset needs a front and a back image first.",
	}
)

func (k imageKind) resource() resource.Resource {
	return &imageResource{framework.Identified{
		Resource: framework.Resource{Name: k.typeName}, IDs: framework.OfCharacter("id", "asset_id", "Id of the uploaded asset."),
	}, k}
}

// attributes returns the part of an image that the schema of the kind has.
func (k imageKind) attributes(image *imageModel) any {
	if len(k.Types) == 0 {
		return &image.imageAttributes
	}
	return image
}

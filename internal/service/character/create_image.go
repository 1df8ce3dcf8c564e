package character

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// fileError says that the file, not the service, failed an upload.
type fileError struct{ error }

func (e fileError) Unwrap() error { return e.error }

// upload returns the request for a planned image. Its bytes are checked against
// the plan while they are sent.
func (m *imageModel) upload() api.Image {
	source := m.Source.ValueString()
	return api.Image{
		Filename: cmp.Or(m.Filename.ValueString(), m.defaultFilename()), ContentType: m.ContentType.ValueString(),
		SHA256: m.ContentSHA256.ValueString(), Size: m.Size.ValueInt64(),
		Open: func() (io.ReadCloser, error) {
			file, err := openImage(source)
			if err != nil {
				return nil, fileError{err}
			}
			return file, nil
		},
	}
}

// uploadError describes an upload that the service did not accept. It blames
// the source for what the service says about the file.
func (r *imageResource) uploadError(image *imageModel, err error) diag.Diagnostic {
	failure := framework.Failure{
		Verb: "Upload", Noun: r.kind.title, NotFound: path.Root("character_id"), Consequence: "No " + r.kind.noun + " was added.",
		Object: fmt.Sprintf("file %q for character %q", image.Source.ValueString(), image.CharacterID.ValueString()),
	}
	changed := errors.Is(err, api.ErrFileChanged)
	if changed {
		failure.Consequence = "The file changed between plan and apply, or while it was sent; the upload was cut off before the service could take it. Plan and apply again."
	}
	ofFile := []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity}
	_, unreadable := errors.AsType[fileError](err)
	if refused, is := errors.AsType[*reply.Error](err); changed || unreadable || is && slices.Contains(ofFile, refused.Status) {
		return diag.WithPath(path.Root("source"), failure.Error(err))
	}
	return failure.Error(err)
}

package character

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

var _ run.ManagedResource = (*imageResource)(nil)

// imageResource is mediagen_face_image or mediagen_body_image.
type imageResource struct {
	run.Identified
	kind imageKind
}

// imageKind describes the differences between the two kinds of images.
type imageKind struct {
	api.ImageKind
	typeName    string // without the provider's
	noun, title string // for sentences and summaries
	origin      string // other known facts about the upload
	unread      string // inputs that an import cannot read, and takes over from the configuration
}

var (
	faceImages = imageKind{
		ImageKind: api.FaceImages,
		typeName:  "face_image",
		noun:      "face image",
		title:     "Face Image",
		unread:    "source and file name",
		origin: " The service may refuse images under 512 by 512 pixels, blurred ones, and more than 20 of a " +
			"character.",
	}
	bodyImages = imageKind{
		ImageKind: api.BodyImages,
		typeName:  "body_image",
		noun:      "body image",
		title:     "Body Image",
		unread:    "source, file name and image_type",
		origin: " The service may refuse more than 40 body images of a character.\n\nOnly some deployments have this " +
			"upload. A dataset needs a front and a back image first.",
	}
)

// resource makes the resource of this kind.
func (k imageKind) resource() resource.Resource {
	return &imageResource{
		run.Identified{
			Resource: run.Resource{
				Name: k.typeName,
			},
			IDs: run.OfCharacter("id", "asset_id", "Id of the uploaded asset."),
		},
		k,
	}
}

// attributes returns the attributes of an image that this kind's schema has.
func (k imageKind) attributes(image *imageModel) any {
	if len(k.Types) == 0 {
		return &image.imageAttributes
	}
	return image
}

// Create uploads the file whose hash the plan contains. If the reply is lost,
// nothing goes into the state, and the error names the assets that may be the
// image.
func (r *imageResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan imageModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, r.kind.attributes(&plan))...)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	character := plan.CharacterID.ValueString()
	sent := r.Data.Clock.Now()
	before := r.Data.Client.Known(character)
	uploaded, err := r.Data.Client.Images.Upload(
		ctx,
		r.kind.ImageKind,
		character,
		plan.ImageType.ValueString(),
		plan.upload(),
	)
	switch {
	case reply.IsEffectUnknown(err):
		resp.Diagnostics.Append(unconfirmed{
			request: fmt.Sprintf("The upload of a %s for character %q", r.kind.noun, character),
			title:   r.kind.title,
			sent:    sent,
			cause:   err,
			look: func(ctx context.Context) ([]evidence.Candidate, error) {
				return r.Data.Client.Images.Since(ctx, character, r.kind.AssetType, before)
			},
			take: func(id string) string {
				return "import it:\n\n" + framework.ImportBlock(framework.Quote(framework.ImportID(character, id)))
			},
		}.error(ctx, r.Data))
		return
	case err != nil:
		resp.Diagnostics.Append(r.uploadError(&plan, err))
		return
	}
	plan.storeUpload(uploaded)
	resp.Diagnostics.Append(
		r.Store(ctx, &resp.State, resp.Identity, resp.Private, r.kind.attributes(&plan), r.Data.Client.Made())...)
}

// fileError says that the file, not the service, failed an upload.
type fileError struct{ error }

func (e fileError) Unwrap() error { return e.error }

// upload returns the request for a planned image. The bytes are checked while
// they are sent.
func (m *imageModel) upload() api.Image {
	source := m.Source.ValueString()
	return api.Image{
		Filename:    cmp.Or(m.Filename.ValueString(), m.defaultFilename()),
		ContentType: m.ContentType.ValueString(),
		SHA256:      m.ContentSHA256.ValueString(),
		Size:        m.Size.ValueInt64(),
		Open: func() (io.ReadCloser, error) {
			file, err := openImage(source)
			if err != nil {
				return nil, fileError{err}
			}
			return file, nil
		},
	}
}

// Read finds the image in the character's list of assets. An image that a list
// has shown is gone if a complete list lacks it.
func (r *imageResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state imageModel
	var last evidence.Evidence // an asset can vanish once a list has shown it, or should have
	resp.Diagnostics.Append(req.State.Get(ctx, r.kind.attributes(&state))...)
	resp.Diagnostics.Append(framework.LoadPrivate(ctx, req.Private, &last)...)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	r.note(&state)
	last.Shown = last.Shown || state.imported() // an imported image must exist
	var asset *api.Asset
	otherwise := false
	existence, _, err := r.Data.Client.Find(ctx, last.Expected(r.Data.Clock.Now()), func(ctx context.Context) error {
		assets, failure := r.Data.Client.Images.ListOnce(ctx, state.CharacterID.ValueString())
		if assets == nil {
			assets = &api.Assets{} // a character that is gone has no assets
		}
		asset = state.find(assets)
		otherwise = !last.Shown && state.isListedByOtherID(assets)
		if assets.AllListed {
			failure = evidence.Listed(
				asset != nil || otherwise,
				"/{character_id}/assets",
				state.CharacterID.ValueString(),
			)
		}
		return failure
	})
	switch {
	case err != nil:
		resp.Diagnostics.Append(r.kind.readFailure(&state).Error(err))
		return
	case existence == evidence.Gone:
		r.Forget(ctx, resp, r.kind.attributes(&state))
		return
	case asset != nil:
		state.listed(asset)
		resp.Diagnostics.Append(framework.StorePrivate(ctx, resp.Private, r.Data.Client.Seen(last))...)
	case otherwise:
	case existence == evidence.Present:
		resp.Diagnostics.Append(r.kind.staysUnread(&state))
	}
	resp.Diagnostics.Append(r.Publish(ctx, &resp.State, resp.Identity, r.kind.attributes(&state))...)
}

// Delete sends nothing: the service cannot delete images.
func (r *imageResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// warnOfForgotten warns that images stay at the service, because it cannot delete them.
func (r *imageResource) warnOfForgotten(diags *diag.Diagnostics) {
	r.Data.WarnOfForgotten(r.kind.title+"s", r.kind.imagesStay(), diags)
}

// note records the image for the plan of its character's deletion.
func (r *imageResource) note(state *imageModel) {
	if r.Data != nil {
		r.Data.Characters.Note(
			state.CharacterID.ValueString(),
			fmt.Sprintf("%s %q", r.kind.noun, state.ID.ValueString()),
		)
	}
}

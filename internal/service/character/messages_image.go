package character

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

var errNoFile = errors.New(
	"there is no such file; a relative path is taken from the directory that the CLI runs in, so begin it with " +
		"${path.module}",
)

// errPattern is the error for a missing file whose path has the characters of a
// pattern.
var errPattern = errors.New("there is no such file, and patterns are not expanded: an image has one file. For one " +
	"image of each, use for_each with fileset(path.module, \"images/*.png\")")

// fileFirst says how to let a plan know a file that the same configuration
// creates.
const fileFirst = "If this configuration makes the file, have it made first, as by an apply with -target=ADDRESS of " +
	"what makes it, or make it before the CLI runs."

// Messages of a plan.

// sourceIsUnreadable refuses a file that a plan cannot read. The apply may be
// about to create it.
func sourceIsUnreadable(image *imageModel, err error) diag.Diagnostic {
	text := fmt.Sprintf(
		"The file %q cannot be uploaded: %s Nothing was sent.",
		image.Source.ValueString(),
		framework.Sentence(err.Error()),
	)
	if errors.Is(err, errNoFile) {
		text += "\n\n" + fileFirst
	}
	return diag.NewAttributeErrorDiagnostic(path.Root("source"), "Unreadable Source File", text)
}

func (k imageKind) sourceIsMissing() diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(
		path.Root("source"),
		"Missing Source",
		"A new "+k.noun+" needs source, the path of its file. Nothing was sent.",
	)
}

// plannedAsBefore warns of an image whose source is an output that the plan
// does not know.
func (k imageKind) plannedAsBefore(state *imageModel) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("source"), "Planned Without Knowing source", fmt.Sprintf(
		"source is known only after apply, and the file that it names is taken to have the bytes of the %s %q: "+
			"nothing is replaced because of it. If it turns out to have others, the apply stops here, before it "+
			"uploads anything, and the next plan shows what that replaces.\n\n"+fileFirst,
		k.noun,
		state.ID.ValueString(),
	))
}

// sourceTakenOver warns of an imported image, whose content nobody has compared
// with the file.
func (k imageKind) sourceTakenOver(state *imageModel) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("source"), "Source Taken Over", fmt.Sprintf(
		"The %s %q was imported. Its %s are taken over from the configuration as they are: nothing is "+
			"uploaded, and it is not checked that the asset shows the same image.",
		k.noun,
		state.ID.ValueString(),
		k.unread,
	))
}

// staysUnchanged warns of an unreadable file whose path is unchanged. It is no
// error, because a destroy must not need the file.
func (k imageKind) staysUnchanged(state *imageModel, err error) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("source"), "Source File Not Readable", fmt.Sprintf(
		"The file %q of %s %q cannot be read: %s The image is taken to be unchanged.",
		state.Source.ValueString(),
		k.noun,
		state.ID.ValueString(),
		framework.Sentence(err.Error()),
	))
}

func isNoImage(source, kind string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("source"), "Source File Is Not an Image", fmt.Sprintf(
		"The file %q is %s, not an image. Nothing was sent: the service accepts any file, and cannot delete it. "+
			"Set source to an image file, such as a JPEG or PNG.",
		source,
		kind,
	))
}

func mayBeNoImage(source, contentType string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("source"), "Source File May Not Be an Image", fmt.Sprintf(
		"The file %q is not recognised as an image (it looks like %s). The apply uploads it, and the service "+
			"cannot delete it afterwards. Check that it is the right file.",
		source,
		contentType,
	))
}

// isUploadedTwice warns of a second resource in the plan that uploads equal
// bytes.
func (k imageKind) isUploadedTwice(image *imageModel) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("source"), "Image Is Uploaded Twice", fmt.Sprintf(
		"Remove one of the resources: two of this plan upload the %s %q of character %q. The service cannot delete "+
			"an image, and each counts against the character's number of %[1]ss.",
		k.noun,
		image.Source.ValueString(),
		image.CharacterID.ValueString(),
	))
}

// imagesStay says that a destroy only forgets images.
func (k imageKind) imagesStay() string {
	return fmt.Sprintf(
		"The service cannot delete %[1]ss: they stay, and count against their character's number of %[1]ss, unless a "+
			"deletion of the character takes them along.",
		k.noun,
	)
}

// Messages of a read.

func (k imageKind) readFailure(state *imageModel) framework.Failure {
	return framework.Failure{
		Verb:        "Read",
		Noun:        k.title,
		NotFound:    path.Root("character_id"),
		Consequence: framework.Unchanged,
		Object: fmt.Sprintf(
			"%s %q of character %q",
			k.noun,
			state.ID.ValueString(),
			state.CharacterID.ValueString(),
		),
	}
}

// staysUnread warns of a list of assets that contradicts itself.
func (k imageKind) staysUnread(state *imageModel) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Asset List Incomplete", fmt.Sprintf(
		"The service's list of the assets of character %q was inconsistent and did not show %s %q. It is "+
			"kept as it was.",
		state.CharacterID.ValueString(),
		k.noun,
		state.ID.ValueString(),
	))
}

// someMayBeMissing warns of a contradictory list in a query.
func (k imageKind) someMayBeMissing(character string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Asset List Incomplete", fmt.Sprintf(
		"The service's list of the assets of character %q is inconsistent: %ss may be missing.",
		character,
		k.noun,
	))
}

// imageExists explains a 409: the image may exist already. id is the id of the
// existing asset, if the service names it.
func imageExists(character, id string) string {
	return alreadyThere("asset", id, "mediagen_assets", framework.ImportID(character, cmp.Or(id, "ID")))
}

// uploadError describes a failed upload, on source if the service blames the
// file.
func (r *imageResource) uploadError(image *imageModel, err error) diag.Diagnostic {
	failure := framework.Failure{
		Verb:        "Upload",
		Noun:        r.kind.title,
		NotFound:    path.Root("character_id"),
		Consequence: "No " + r.kind.noun + " was added.",
		Object: fmt.Sprintf(
			"file %q for character %q",
			image.Source.ValueString(),
			image.CharacterID.ValueString(),
		),
	}
	if reply.Status(err) == http.StatusConflict {
		failure.Consequence = imageExists(image.CharacterID.ValueString(), api.ExistingAsset(err))
	}
	changed := errors.Is(err, api.ErrFileChanged)
	if changed {
		failure.Consequence = "The file changed between plan and apply, or while it was sent; the upload was cut off " +
			"before the service could take it. Plan and apply again.\n\n" + fileFirst
	}
	ofFile := []int{
		http.StatusBadRequest,
		http.StatusRequestEntityTooLarge,
		http.StatusUnsupportedMediaType,
		http.StatusUnprocessableEntity,
	}
	_, unreadable := errors.AsType[fileError](err)
	refused, is := errors.AsType[*reply.Error](err)
	isRefused := is && !reply.IsLimited(err) && slices.Contains(ofFile, refused.Said.Status)
	if changed || unreadable || isRefused {
		return diag.WithPath(path.Root("source"), failure.Error(err))
	}
	return failure.Error(err)
}

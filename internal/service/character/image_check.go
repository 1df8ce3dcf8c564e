package character

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// checkImage checks that a file to be uploaded is an image, since the service
// accepts any file and cannot delete it. Text and empty archives are errors;
// other types are only warnings, since not every image is recognised.
func (f imageFile) checkImage(source string, diags *diag.Diagnostics) {
	if kind := f.nonsense(); kind != "" {
		diags.AddAttributeError(path.Root("source"), "Source File Is Not an Image", fmt.Sprintf(
			"The file %q is %s, not an image. Nothing was sent: the service accepts any file, and cannot delete it. Set source to an image file, such as a JPEG or PNG.", source, kind))
		return
	}
	if !strings.HasPrefix(f.contentType, "image/") {
		diags.AddAttributeWarning(path.Root("source"), "Source File May Not Be an Image", fmt.Sprintf(
			"The file %q is not recognised as an image (it looks like %s). The apply uploads it, and the service cannot delete it afterwards. Check that it is the right file.", source, f.contentType))
	}
}

// nonsense returns what the file is if it cannot be an image.
func (f imageFile) nonsense() string {
	text := strings.ToLower(strings.TrimSpace(strings.TrimPrefix(string(f.head), "\ufeff")))
	switch {
	case bytes.HasPrefix(f.head, []byte("PK\x05\x06")):
		return "an empty ZIP archive"
	case f.blank:
		return "nothing but zero bytes, like an empty tar archive or a broken download"
	case !strings.HasPrefix(f.contentType, "text/"):
		return ""
	case strings.HasPrefix(text, "version https://git-lfs.github.com/"):
		return "a Git LFS pointer (run `git lfs pull` to fetch the file)"
	case strings.Contains(text, "<svg"):
		return "an SVG drawing, which is markup"
	case strings.HasPrefix(text, "<"):
		return "markup (HTML or XML)"
	case strings.HasPrefix(text, "{"), strings.HasPrefix(text, "["):
		return "text (it looks like JSON)"
	default:
		return "text"
	}
}

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
	switch {
	case bytes.HasPrefix(f.head, []byte("PK\x05\x06")):
		return "an empty ZIP archive"
	case len(bytes.TrimLeft(f.head, "\x00")) == 0:
		return "nothing but zero bytes where it begins, like an empty tar archive or a broken download"
	case bytes.HasPrefix(f.head, []byte("version https://git-lfs.github.com/")):
		return "a Git LFS pointer (run `git lfs pull` to fetch the file)"
	case strings.HasPrefix(f.contentType, "text/"):
		return "text (" + f.contentType + ")"
	}
	return ""
}

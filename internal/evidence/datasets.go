package evidence

import (
	"context"
	"slices"
	"strconv"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Datasets are the datasets that a run reads and generates.
type Datasets struct {
	*api.DatasetService
	client *Client
}

// Images reads the images of a dataset; a nil approvedOnly leaves the choice to
// the service. Services may ignore or refuse the filter. If approvedOnly is
// true, images that are not approved are therefore removed here as well.
func (s *Datasets) Images(ctx context.Context, characterID string, approvedOnly *bool) (*api.DatasetImages, error) {
	read := func(wanted string) (*api.DatasetImages, error) {
		return s.DatasetService.Images(ctx, characterID, wanted)
	}
	var result *api.DatasetImages
	var isRefused bool
	var err error
	if approvedOnly == nil {
		result, err = read("")
	} else {
		result, isRefused, err = filtered(&s.client.byApproval, read, strconv.FormatBool(*approvedOnly))
	}
	if err != nil {
		return nil, err
	}
	// A service that chooses may show only approved images. Its list then does not
	// prove that an image is missing.
	showsAll := !isRefused || slices.ContainsFunc(result.Images, isNotApproved)
	result.AllListed = result.AllListed && showsAll
	if !reply.ValueOf(approvedOnly) {
		return result, nil
	}
	if isRefused && slices.ContainsFunc(result.Images, saysNoApproval) {
		return nil, s.client.byApproval.cannotFilter("image", "approved")
	}
	result.Images = slices.DeleteFunc(result.Images, isNotApproved)
	return result, nil
}

func isNotApproved(image api.DatasetImage) bool { return image.Approved != nil && !*image.Approved }

func saysNoApproval(image api.DatasetImage) bool { return image.Approved == nil }

// all reads all images, because an image that was just regenerated is not
// approved.
func (s *Datasets) all(ctx context.Context, characterID string) (*api.DatasetImages, error) {
	return s.Images(ctx, characterID, new(false))
}

// ImagesOnce returns the whole dataset. It is read once per character, and
// again after any change.
func (s *Datasets) ImagesOnce(ctx context.Context, characterID string) (*api.DatasetImages, error) {
	return s.client.datasets.Get(ctx, characterID)
}

// Status reads the progress of a character's dataset. After a 404, the
// capabilities of the character are requested, because every service knows this
// endpoint. If they are not found either, the character is missing; otherwise
// the service lacks the endpoint of the status.
func (s *Datasets) Status(ctx context.Context, characterID string) (*api.DatasetStatus, error) {
	status, err := s.DatasetService.Status(ctx, characterID)
	if reply.IsNotFound(err) {
		failure := reply.ErrorOf(err)
		if _, known := s.client.Characters.Capabilities(ctx, characterID); reply.IsNotFound(known) {
			failure.OfObject()
		} else {
			failure.Proves.NotFound = reply.NotFoundNone
		}
	}
	return status, err
}

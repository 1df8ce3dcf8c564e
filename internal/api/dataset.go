package api

import (
	"context"
	"net/url"
	"strconv"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// DatasetImages are the generated images that a character is trained on.
type DatasetImages struct {
	Images               []DatasetImage
	Total, ApprovedCount *int64
	DatasetStatus        *string
	// Complete is false if the reply's list is missing, unreadable in part, or
	// shorter than Total: then nothing follows from what it lacks.
	Complete bool
}

// DatasetImage is one image of a dataset.
type DatasetImage struct {
	ImageID, Filename, Prompt *string
	Seed                      *int64
	Approved, Regenerated     *bool
	CreatedAt, ViewURL        *string
}

// DatasetImages reads GET /{character_id}/dataset/images; approvedOnly nil
// leaves the choice to the service.
func (c *Client) DatasetImages(ctx context.Context, characterID string, approvedOnly *bool) (*DatasetImages, error) {
	request := transport.Get("/{character_id}/dataset/images", characterID).Expect("images", "total", "dataset_status")
	if approvedOnly != nil {
		request.Query(url.Values{"approved_only": {strconv.FormatBool(*approvedOnly)}})
	}
	reply, err := c.do(ctx, request)
	if err != nil {
		return nil, err
	}
	images, whole := reply.Objects("images")
	result := &DatasetImages{
		Total:         reply.Integer("total"),
		ApprovedCount: reply.Integer("approved_count"),
		DatasetStatus: reply.Text("dataset_status"),
	}
	var ids []*string
	for _, image := range images {
		result.Images = append(result.Images, DatasetImage{
			ImageID:     image.Text("image_id", "id"),
			Filename:    image.Text("filename"),
			Prompt:      image.Text("prompt"),
			Seed:        image.Integer("seed"),
			Approved:    image.Flag("approved"),
			Regenerated: image.Flag("regenerated"),
			CreatedAt:   image.Text("created_at"),
			ViewURL:     image.Text("view_url"),
		})
		ids = append(ids, image.Text("image_id", "id"))
	}
	result.Complete = whole && reaches(ids, result.Total)
	return result, nil
}

// DatasetImagesOnce returns the whole dataset, read once per character and
// client, and again after a regeneration.
func (c *Client) DatasetImagesOnce(ctx context.Context, characterID string) (*DatasetImages, error) {
	return c.datasets.Get(ctx, characterID)
}

// Regeneration is what the service says about a regenerated dataset image.
type Regeneration struct {
	Message, ImageID *string
	Approved         *bool
}

// RegenerateImage sends POST
// /{character_id}/dataset/images/{image_id}/regenerate. No cost is documented,
// but it replaces the image, so it is sent once.
func (c *Client) RegenerateImage(ctx context.Context, characterID, imageID, prompt string) (*Regeneration, error) {
	defer c.datasets.Forget(characterID)
	request := transport.Post("/{character_id}/dataset/images/{image_id}/regenerate", characterID, imageID).
		JSON(map[string]string{"prompt": prompt}).Expect("image_id", "approved")
	reply, err := c.do(ctx, request)
	if err != nil {
		return nil, err
	}
	return &Regeneration{
		Message:  reply.Text("message"),
		ImageID:  reply.Text("image_id", "id"),
		Approved: reply.Flag("approved"),
	}, nil
}

// reaches reports whether a list is at least as long as the total that goes with
// it. A repeated element may hide a missing one.
func reaches(ids []*string, total *int64) bool {
	seen, count := map[string]bool{}, int64(0)
	for _, id := range ids {
		if known := value(id); known == "" || !seen[known] {
			seen[known] = true
			count++
		}
	}
	return total == nil || count >= *total
}

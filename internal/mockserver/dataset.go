package mockserver

import (
	"fmt"
	"net/url"
	"time"
)

// DatasetImage is a generated image of a character's dataset.
type DatasetImage struct {
	ID          string    `json:"id"`
	Filename    string    `json:"filename"`
	Prompt      string    `json:"prompt"`
	Seed        int64     `json:"seed"`
	Approved    bool      `json:"approved"`
	Regenerated bool      `json:"regenerated"`
	CreatedAt   time.Time `json:"created_at"`
}

type datasetImage struct {
	DatasetImage
	version int // counts regenerations, each of which changes the image's address
	late    later
}

// AddDatasetImages adds n images to a character's dataset, every other one
// approved, and returns their ids.
func (s *Server) AddDatasetImages(characterID string, n int) (ids []string) {
	s.of(characterID, func(owner *character) { ids = s.addDatasetImages(owner, n) })
	return ids
}

func (s *Server) addDatasetImages(owner *character, n int) []string {
	var ids []string
	for i := range n {
		image := s.addDatasetImage(owner, fmt.Sprintf("dataset image %d", i+1), i)
		image.Approved = i%2 == 0
		ids = append(ids, image.ID)
	}
	return ids
}

func (s *Server) addDatasetImage(owner *character, prompt string, position int) *datasetImage {
	id := s.world.nextID("image")
	added := &datasetImage{DatasetImage: DatasetImage{
		ID:        id,
		Filename:  id + ".png",
		Prompt:    prompt,
		Seed:      int64(1000 + position),
		CreatedAt: s.now(),
	}}
	owner.dataset = append(owner.dataset, added)
	return added
}

// DatasetImages returns a character's dataset.
func (s *Server) DatasetImages(characterID string) []DatasetImage {
	var found []DatasetImage
	s.of(characterID, func(owner *character) {
		images, _ := owner.made(s.now())
		for _, image := range images {
			found = append(found, image.DatasetImage)
		}
	})
	return found
}

// SetDatasetImage changes an image without a request, e.g. approves it.
func (s *Server) SetDatasetImage(characterID, imageID string, change func(*DatasetImage)) {
	s.of(characterID, func(owner *character) {
		if image := owner.datasetImage(imageID); image != nil {
			change(&image.DatasetImage)
		}
	})
}

func (c *character) datasetImage(id string) *datasetImage {
	for _, image := range c.dataset {
		if image.ID == id {
			return image
		}
	}
	return nil
}

// image returns the image that a request names.
func (c *call) image() (*datasetImage, error) {
	image := c.owner.datasetImage(c.params["image_id"])
	if image == nil || image.CreatedAt.After(c.now) {
		return nil, notFound("image", c.params["image_id"])
	}
	return image, nil
}

// listDataset is endpoint 13.
func (s *Server) listDataset(c *call) (any, error) {
	owner := c.owner
	if s.opts.Variant.RefuseFilters && c.entry.Query.Has("approved_only") {
		return nil, unknownParameter("approved_only")
	}
	approvedOnly := c.entry.Query.Get("approved_only") == "true" && !s.opts.Variant.IgnoreFilters
	images, approved := owner.made(c.now)
	list := datasetBody{
		CharacterID:   owner.ID,
		Images:        []datasetImageBody{},
		ApprovedCount: approved,
		DatasetStatus: owner.datasetWord(c.now),
	}
	for _, image := range images {
		if image.late.visible() && (image.Approved || !approvedOnly) {
			list.Images = append(list.Images, c.datasetImageBody(image))
		}
	}
	list.Total = len(list.Images)
	return list, nil
}

func (c *call) datasetImageBody(image *datasetImage) datasetImageBody {
	return datasetImageBody{
		ImageID:     image.ID,
		Filename:    image.Filename,
		Prompt:      image.Prompt,
		Seed:        image.Seed,
		Approved:    image.Approved,
		Regenerated: image.Regenerated,
		CreatedAt:   stamp(image.CreatedAt),
		ViewURL:     fmt.Sprintf("%s/media/dataset/%s-%d.png", c.origin, url.PathEscape(image.ID), image.version),
	}
}

// regenerate is endpoint 14. The new image must be approved again.
func (s *Server) regenerate(c *call, request imageRequest) (any, error) {
	image, err := c.image()
	if err != nil {
		return nil, err
	}
	if request.Prompt != "" {
		image.Prompt = s.kept(request.Prompt)
	}
	image.Seed++
	image.version++
	image.Regenerated = true
	image.Approved = false
	return datasetImageChangeBody{
		Success:  true,
		Message:  "image regenerated",
		ImageID:  image.ID,
		Approved: image.Approved,
	}, nil
}

package mockserver

import (
	"fmt"
	"net/http"
	"time"
)

// defaultPrompts are the prompts of a dataset for which the client sends none.
var defaultPrompts = []string{
	"a portrait from the front", "a portrait from the side", "standing in a studio",
	"sitting on a chair", "walking in a street", "a close look at the face",
}

// GenerateDatasetElsewhere starts the generation of a dataset that is not
// charged, and returns its job id; "" if there is no such character. Without
// prompts it uses the service's own.
func (s *Server) GenerateDatasetElsewhere(characterID string, prompts ...string) (job string) {
	if len(prompts) == 0 {
		prompts = defaultPrompts
	}
	s.of(characterID, func(owner *character) { job = s.makeDataset(owner, prompts, s.now()) })
	return job
}

// ApproveDatasetElsewhere approves a dataset as it is, without a request.
func (s *Server) ApproveDatasetElsewhere(characterID string) {
	s.of(characterID, (*character).approveDataset)
}

// FailNextDataset makes the next dataset that is started fail. It ends without
// an image, and is charged nevertheless.
func (s *Server) FailNextDataset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.world.failDatasets++
}

// generateDataset makes an image of each prompt, one after the other.
func (s *Server) generateDataset(c *call, request datasetRequest) (any, error) {
	owner := c.owner
	prompts := request.Prompts
	if override(request.UseDefaultPrompts, len(prompts) == 0) {
		prompts = append(prompts, defaultPrompts...)
	}
	if err := s.checkDataset(owner, len(prompts), c.now); err != nil {
		return nil, err
	}
	if err := s.world.ledger.afford(s.opts.DatasetCost); err != nil {
		return nil, err
	}
	id := s.makeDataset(owner, prompts, c.now)
	s.book(LedgerEntry{
		Kind:        "dataset",
		ID:          id,
		CharacterID: owner.ID,
		Credits:     s.opts.DatasetCost,
		At:          c.now,
	})
	return datasetStartBody{
		Success:     true,
		Message:     "dataset started",
		TotalImages: len(prompts),
		JobID:       id,
	}, nil
}

// checkDataset returns why no dataset of that many further images can start.
func (s *Server) checkDataset(owner *character, further int, now time.Time) error {
	kept := len(owner.dataset)
	if s.opts.Variant.DatasetReplaces {
		kept = 0
	}
	switch {
	case further == 0:
		return owner.refuse(http.StatusBadRequest, "no_prompts", "there are no prompts")
	case !owner.showsBody():
		return owner.refuse(
			http.StatusBadRequest,
			"body_images_missing",
			"a dataset needs a front and a back image of the body",
		)
	case !owner.making.over(now):
		return owner.refuse(http.StatusConflict, "dataset_active", "a dataset is being generated already")
	case owner.DatasetStatus == wordApproved:
		return owner.approvedAlready()
	case kept+further > maxDataset:
		return owner.refuse(
			http.StatusBadRequest,
			"too_many_images",
			fmt.Sprintf("a dataset has at most %d images", maxDataset),
		)
	}
	return nil
}

func (c *character) approvedAlready() error {
	return c.refuse(http.StatusConflict, "dataset_approved", "the dataset is approved already")
}

func (s *Server) makeDataset(owner *character, prompts []string, now time.Time) (id string) {
	owner.making = span{now, s.opts.DatasetTime}
	owner.DatasetStatus = wordGenerated
	owner.CurrentStep = max(owner.CurrentStep, 2)
	owner.UpdatedAt = now
	if s.opts.Variant.DatasetReplaces {
		owner.dataset = nil
	}
	if s.world.failDatasets > 0 {
		s.world.failDatasets--
		owner.DatasetStatus = wordFailed
		prompts = nil
	}
	for i, prompt := range prompts {
		image := s.addDatasetImage(owner, s.kept(prompt), i)
		image.CreatedAt = now.Add(s.opts.DatasetTime * time.Duration(i+1) / time.Duration(len(prompts)))
		image.late = s.opts.Variant.later()
	}
	return s.world.nextID("dataset")
}

// made returns the images that already exist, and how many are approved.
func (c *character) made(now time.Time) (images []*datasetImage, approved int) {
	for _, image := range c.dataset {
		if image.CreatedAt.After(now) {
			continue
		}
		images = append(images, image)
		if image.Approved {
			approved++
		}
	}
	return images, approved
}

// datasetWord is the dataset's status.
func (c *character) datasetWord(now time.Time) string {
	if !c.making.over(now) {
		return wordGenerating
	}
	return c.DatasetStatus
}

// datasetReady reports whether the dataset was approved, here or in a seed.
func (c *character) datasetReady() bool {
	return c.DatasetStatus == wordApproved || c.DatasetStatus == wordCompleted
}

func (c *character) approveDataset() {
	c.DatasetStatus = wordApproved
	c.CurrentStep = max(c.CurrentStep, 3)
}

func (s *Server) datasetStatus(c *call) (any, error) {
	return s.datasetState(c.owner, c.now), nil
}

func (s *Server) datasetState(owner *character, now time.Time) datasetStatusBody {
	images, approved := owner.made(now)
	complete := owner.making.over(now) && len(images) > 0 && owner.DatasetStatus != wordFailed
	return datasetStatusBody{
		CharacterID:        owner.ID,
		DatasetStatus:      owner.datasetWord(now),
		CurrentStep:        owner.CurrentStep,
		TotalImages:        len(images),
		ApprovedImages:     approved,
		GenerationComplete: complete,
		MinRequired:        minDataset,
		MaxAllowed:         maxDataset,
		CanApprove: complete && owner.DatasetStatus != wordApproved &&
			approved >= minDataset && approved <= maxDataset,
	}
}

// approveDataset is final.
func (s *Server) approveDataset(c *call) (any, error) {
	owner := c.owner
	state := s.datasetState(owner, c.now)
	switch {
	case owner.DatasetStatus == wordApproved:
		return nil, owner.approvedAlready()
	case !state.CanApprove:
		return nil, owner.refuse(
			http.StatusBadRequest,
			"dataset_not_ready",
			fmt.Sprintf("the dataset is %s and has %d approved images, of %d to %d",
				state.DatasetStatus, state.ApprovedImages, state.MinRequired, state.MaxAllowed),
		)
	}
	owner.approveDataset()
	owner.UpdatedAt = c.now
	return datasetApprovalBody{
		Success:        true,
		Message:        "dataset approved",
		ApprovedImages: state.ApprovedImages,
		NextStep:       "body_lora_training",
	}, nil
}

// approveImage gives an approval, or withdraws it, in a dataset that is not
// approved yet.
func (s *Server) approveImage(c *call, request approvalRequest) (any, error) {
	image, err := c.image()
	if err != nil {
		return nil, err
	}
	if c.owner.DatasetStatus == wordApproved {
		return nil, c.owner.approvedAlready()
	}
	image.Approved = request.Approved
	return datasetImageChangeBody{
		Success:  true,
		Message:  "image changed",
		ImageID:  image.ID,
		Approved: image.Approved,
	}, nil
}

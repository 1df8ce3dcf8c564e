package api

import (
	"context"
	"math/big"
	"slices"
	"strconv"

	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// DatasetImages are the generated images that a character is trained on.
type DatasetImages struct {
	Images               []DatasetImage
	Total, ApprovedCount *int64
	DatasetStatus        *reply.Text
	AllListed            bool // as in Assets
}

// DatasetImage is one image of a dataset. The reply to a regeneration lacks
// most but the Message.
type DatasetImage struct {
	ImageID, Filename, Prompt *string
	Message                   *reply.Text
	Seed                      *big.Int // of 64 bits, without a sign
	Approved, Regenerated     *bool
	CreatedAt, ViewURL        *string
}

// Images reads GET /{character_id}/dataset/images; approvedOnly nil is
// the service's choice. Services may ignore or refuse the filter: only approved
// images are chosen here, too.
func (s *DatasetService) Images(ctx context.Context, characterID string, approvedOnly *bool) (*DatasetImages, error) {
	list := func() *transport.Request {
		return transport.Get("/{character_id}/dataset/images", characterID).Expect("images", "total", "dataset_status")
	}
	var said filtered
	var err error
	if approvedOnly == nil {
		said.Object, err = s.client.do(ctx, list())
	} else {
		said, err = s.client.byApproval.read(ctx, s.client, list, strconv.FormatBool(*approvedOnly))
	}
	if err != nil {
		return nil, err
	}
	_, whole := said.Objects("images")
	result := decode[DatasetImages](said.Object)
	var ids []*string
	for _, image := range result.Images {
		ids = append(ids, image.ImageID)
	}
	// A service that chooses may show approved images alone, and so proves
	// nothing of another.
	showsAll := !said.isRefused || slices.ContainsFunc(result.Images, isNotApproved)
	result.AllListed = whole && showsAll && isComplete(ids, result.Total)
	if !value(approvedOnly) {
		return result, nil
	}
	if said.isRefused && slices.ContainsFunc(result.Images, saysNoApproval) {
		return nil, s.client.byApproval.cannotFilter("image", "approved")
	}
	result.Images = slices.DeleteFunc(result.Images, isNotApproved)
	return result, nil
}

func isNotApproved(image DatasetImage) bool { return image.Approved != nil && !*image.Approved }

func saysNoApproval(image DatasetImage) bool { return image.Approved == nil }

// ImagesOnce returns the whole dataset, read once per character, and
// again after any change.
func (s *DatasetService) ImagesOnce(ctx context.Context, characterID string) (*DatasetImages, error) {
	return s.client.datasets.Get(ctx, characterID)
}

// isComplete reports whether a list is as long as its total. A repeated element
// may hide another.
func isComplete(ids []*string, total *int64) bool {
	seen := map[string]bool{}
	count := int64(0)
	for _, id := range ids {
		if known := value(id); known == "" || !seen[known] {
			seen[known] = true
			count++
		}
	}
	return total == nil || count >= *total
}

// DatasetRequest is what a dataset is generated from; nil is the service's
// choice. The Triggers tell it from others in the purchase log, and are not
// sent.
type DatasetRequest struct {
	Prompts           []string          `json:"prompts,omitempty"`
	UseDefaultPrompts *bool             `json:"use_default_prompts,omitempty"`
	Triggers          map[string]string `json:"-"`
}

// Order is POST /{character_id}/dataset/generate, a purchase: its cost is not
// documented.
func (r DatasetRequest) Order(characterID string) Order[*Receipt] {
	request := transport.Post("/{character_id}/dataset/generate", characterID).JSON(r).Expect("job_id", "total_images").
		Optional("Import a dataset that was generated elsewhere.")
	return workOrder(purchases.KindDataset, &purchases.Entry{
		Type:        "dataset",
		CharacterID: characterID,
		Inputs:      r.sum(),
	}, request)
}

// sum is equal for requests that are the same.
func (r DatasetRequest) sum() string {
	r.Prompts = slices.Clone(r.Prompts)
	for i, prompt := range r.Prompts {
		r.Prompts[i] = same.Key(prompt)
	}
	return purchases.SumOf([]any{r, plainTriggers(r.Triggers)})
}

// DatasetStatus is how far the dataset of a character is, whatever has made it.
type DatasetStatus struct {
	Word                                    *string `json:"word,omitempty" reply:"dataset_status"`
	TotalImages                             *int64  `json:"total_images,omitempty"`
	Complete                                *bool   `json:"complete,omitempty" reply:"generation_complete"`
	ApprovedImages, MinRequired, MaxAllowed *int64  `json:"-"`
	CanApprove                              *bool   `json:"-"`
}

// Status reads GET /{character_id}/dataset/status. A 404 is about the
// character if one more request, which every service knows, says so too; else
// the service lacks the endpoint.
func (s *DatasetService) Status(ctx context.Context, characterID string) (*DatasetStatus, error) {
	said, err := s.client.do(ctx, transport.Get("/{character_id}/dataset/status", characterID).Optional("").
		Expect("dataset_status", "generation_complete", "total_images"))
	if reply.IsNotFound(err) {
		failure := reply.ErrorOf(err)
		if _, known := s.client.Characters.Capabilities(ctx, characterID); reply.IsNotFound(known) {
			failure.OfObject()
		} else {
			failure.Proves.NotFound = reply.NotFoundNone
		}
	}
	if err != nil {
		return nil, err
	}
	return decode[DatasetStatus](said), nil
}

// Phase considers the flag before the word; only the word tells a failure.
func (s *DatasetStatus) Phase() Phase {
	phase := PhaseOfWord(value(s.Word))
	saysMade := phase == Succeeded || s.IsApproved() || isOneOf("generated", value(s.Word))
	switch {
	case value(s.Complete):
		return Succeeded
	case phase == Failed || phase == Stopped:
		return phase
	case s.Complete == nil && saysMade:
		return Succeeded
	}
	return Running
}

// IsApproved reports whether the status says that the dataset was approved as a
// whole.
func (s *DatasetStatus) IsApproved() bool { return IsApprovedWord(value(s.Word)) }

// IsSettled reports whether there is no approval to wait for: it was given, or
// cannot be given any more.
func (s *DatasetStatus) IsSettled() bool {
	isRefused := s.CanApprove != nil && !*s.CanApprove
	return s.IsApproved() || isRefused
}

// IsApprovedWord reads a dataset_status.
func IsApprovedWord[S ~string](word S) bool { return isOneOf("approved accepted", word) }

// IsNone reports whether there is no image, and none is visibly being made.
func (s *DatasetStatus) IsNone() bool {
	hasNone := s.TotalImages != nil && *s.TotalImages == 0
	saysRunning := isOneOf(runningWords, value(s.Word))
	return hasNone && s.Phase() == Running && !saysRunning
}

// IsRunning reports whether images are being made. Without any image some words
// may be those of a character that has no dataset yet.
func (s *DatasetStatus) IsRunning() bool {
	word := value(s.Word)
	idle := value(s.TotalImages) == 0 && isOneOf("created new pending waiting", word)
	saysRunning := isOneOf(runningWords, word) && !s.IsApproved()
	return s.Phase() == Running && saysRunning && !idle
}

// IsSince reports whether a dataset must have been started between an earlier
// status and this one. An approval alone changes the word.
func (s *DatasetStatus) IsSince(before *DatasetStatus) bool {
	// variant: dataset-replaces
	isOther := differ(s.TotalImages, before.TotalImages) || differ(s.Complete, before.Complete)
	saysOther := !value(s.Complete) && differ(s.Word, before.Word)
	return isOther || saysOther
}

// differ ignores what one of two replies leaves out.
func differ[T comparable](one, other *T) bool { return one != nil && other != nil && *one != *other }

// ApproveImage sends PUT /{character_id}/dataset/images/{image_id}/approval.
func (s *DatasetService) ApproveImage(ctx context.Context, characterID, imageID string, approved bool) error {
	_, err := s.client.do(
		ctx,
		transport.Put("/{character_id}/dataset/images/{image_id}/approval", characterID, imageID).Optional("").
			JSON(map[string]bool{"approved": approved}),
	)
	return err
}

// Approve sends POST /{character_id}/dataset/approve. Nothing takes it
// back.
func (s *DatasetService) Approve(ctx context.Context, characterID string) error {
	_, err := s.client.do(ctx, transport.Post("/{character_id}/dataset/approve", characterID).Optional("").
		Expect("success", "approved_images", "next_step", "message"))
	return err
}

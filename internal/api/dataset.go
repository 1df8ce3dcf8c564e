package api

import (
	"context"
	"math/big"
	"net/url"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// DatasetImages are the generated images that a character is trained on.
type DatasetImages struct {
	Images               []DatasetImage
	Total, ApprovedCount *int64
	DatasetStatus        *reply.Text
	AllListed            bool // see Assets
}

// DatasetImage is one image of a dataset. The reply to a regeneration lacks
// most fields except Message.
type DatasetImage struct {
	ImageID, Filename, Prompt *string
	Message                   *reply.Text
	Seed                      *big.Int // of 64 bits, without a sign
	Approved, Regenerated     *bool
	CreatedAt, ViewURL        *string
}

// Images reads GET /{character_id}/dataset/images. approvedOnly is the value of
// the filter approved_only; if it is empty, nothing is filtered.
func (s *DatasetService) Images(ctx context.Context, characterID, approvedOnly string) (*DatasetImages, error) {
	request := transport.Get("/{character_id}/dataset/images", characterID).
		Expect("images", "total", "dataset_status")
	if approvedOnly != "" {
		request.Query(url.Values{"approved_only": {approvedOnly}})
	}
	said, err := s.client.do(ctx, request)
	if err != nil {
		return nil, err
	}
	_, whole := said.Objects("images")
	result := decode[DatasetImages](said)
	var ids []*string
	for _, image := range result.Images {
		ids = append(ids, image.ImageID)
	}
	result.AllListed = whole && isComplete(ids, result.Total)
	return result, nil
}

// isComplete reports whether a list is as long as its total. A repeated id
// counts once, because it may hide a missing element.
func isComplete(ids []*string, total *int64) bool {
	seen := map[string]bool{}
	count := int64(0)
	for _, id := range ids {
		if known := reply.ValueOf(id); known == "" || !seen[known] {
			seen[known] = true
			count++
		}
	}
	return total == nil || count >= *total
}

// DatasetRequest describes a dataset to generate. The service decides about nil
// fields.
type DatasetRequest struct {
	Prompts           []string `json:"prompts,omitempty"`
	UseDefaultPrompts *bool    `json:"use_default_prompts,omitempty"`
}

// Generate returns POST /{character_id}/dataset/generate.
func (r DatasetRequest) Generate(characterID string) Paid[*Receipt] {
	return work(
		transport.Post("/{character_id}/dataset/generate", characterID).JSON(r).Expect("job_id", "total_images").
			Optional("Import a dataset that was generated elsewhere."),
	)
}

// DatasetStatus is the progress of a character's dataset, whichever request has
// started the dataset.
type DatasetStatus struct {
	Word                                    *string `json:"word,omitempty" reply:"dataset_status"`
	TotalImages                             *int64  `json:"total_images,omitempty"`
	Complete                                *bool   `json:"complete,omitempty" reply:"generation_complete"`
	ApprovedImages, MinRequired, MaxAllowed *int64  `json:"-"`
	CanApprove                              *bool   `json:"-"`
}

// Status reads GET /{character_id}/dataset/status.
func (s *DatasetService) Status(ctx context.Context, characterID string) (*DatasetStatus, error) {
	said, err := s.client.do(ctx, transport.Get("/{character_id}/dataset/status", characterID).Optional("").
		Expect("dataset_status", "generation_complete", "total_images"))
	if err != nil {
		return nil, err
	}
	return decode[DatasetStatus](said), nil
}

// Phase returns the phase of the dataset. The flag Complete decides before the
// word, but only the word can report a failure.
func (s *DatasetStatus) Phase() Phase {
	phase := PhaseOfWord(reply.ValueOf(s.Word))
	saysMade := phase == Succeeded || s.IsApproved() || isOneOf("generated", reply.ValueOf(s.Word))
	switch {
	case reply.ValueOf(s.Complete):
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
func (s *DatasetStatus) IsApproved() bool { return IsApprovedWord(reply.ValueOf(s.Word)) }

// IsSettled reports whether no approval is left to wait for: the approval was
// given, or cannot be given any more.
func (s *DatasetStatus) IsSettled() bool {
	isRefused := s.CanApprove != nil && !*s.CanApprove
	return s.IsApproved() || isRefused
}

// IsApprovedWord reports whether a dataset_status means approved.
func IsApprovedWord[S ~string](word S) bool { return isOneOf("approved accepted", word) }

// IsNone reports whether the dataset has no image and the status does not say
// that images are being made.
func (s *DatasetStatus) IsNone() bool {
	hasNone := s.TotalImages != nil && *s.TotalImages == 0
	saysRunning := isOneOf(runningWords, reply.ValueOf(s.Word))
	return hasNone && s.Phase() == Running && !saysRunning
}

// IsRunning reports whether images are being made. If there is no image, the
// words created, new, pending and waiting do not count: a character without a
// dataset may have them.
func (s *DatasetStatus) IsRunning() bool {
	word := reply.ValueOf(s.Word)
	idle := reply.ValueOf(s.TotalImages) == 0 && isOneOf("created new pending waiting", word)
	saysRunning := isOneOf(runningWords, word) && !s.IsApproved()
	return s.Phase() == Running && saysRunning && !idle
}

// IsSince reports whether a dataset must have been started between the status
// before and this status. A changed word of a complete dataset proves nothing,
// because an approval changes the word too.
func (s *DatasetStatus) IsSince(before *DatasetStatus) bool {
	// variant: dataset-replaces
	isOther := differ(s.TotalImages, before.TotalImages) || differ(s.Complete, before.Complete)
	saysOther := !reply.ValueOf(s.Complete) && differ(s.Word, before.Word)
	return isOther || saysOther
}

// differ reports whether both replies hold a value and the values differ.
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

// Approve sends POST /{character_id}/dataset/approve. An approval cannot be
// withdrawn.
func (s *DatasetService) Approve(ctx context.Context, characterID string) error {
	_, err := s.client.do(ctx, transport.Post("/{character_id}/dataset/approve", characterID).Optional("").
		Expect("success", "approved_images", "next_step", "message"))
	return err
}

package mockserver

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// CharacterSeed is a character in the form that tests write and read.
type CharacterSeed struct {
	ID             string    `json:"id"`              // default: numbered
	OrganizationID string    `json:"organization_id"` // default: the organization of the options
	CreatorID      string    `json:"creator_id"`      // default "creator_000001"
	Name           string    `json:"name"`
	Description    string    `json:"description"`
	Status         string    `json:"status"` // default "active"
	CurrentStep    int       `json:"current_step"`
	DatasetStatus  string    `json:"dataset_status"`  // default "completed"
	SubscriptionID string    `json:"subscription_id"` // "" is null
	CreatedAt      time.Time `json:"created_at"`
	UpdatedAt      time.Time `json:"updated_at"`

	// FaceImages and BodyImages are how many assets AddCharacter creates,
	// bodies alternately from the front and from the back.
	FaceImages int `json:"face_images"`
	BodyImages int `json:"body_images"`
	// DatasetImages is how many images AddCharacter adds to the dataset.
	DatasetImages int `json:"dataset_images"`
	// FaceLoRA and BodyLoRA say that a LoRA is already trained.
	FaceLoRA bool `json:"face_lora"`
	BodyLoRA bool `json:"body_lora"`
	// FaceLoRAStatus and BodyLoRAStatus override the status words that follow
	// from LoRAs and jobs.
	FaceLoRAStatus string `json:"face_lora_status"`
	BodyLoRAStatus string `json:"body_lora_status"`
	// CanTrain and CanGenerate override the computed flags.
	CanTrain    *bool `json:"can_train"`
	CanGenerate *bool `json:"can_generate"`
}

type character struct {
	CharacterSeed
	assets  []*asset
	dataset []*datasetImage
	jobs    []*job
	// making is the latest generation of the dataset; DatasetStatus is the word
	// once it has ended.
	making span
	late   later
}

// AddCharacter adds a character and returns its id.
func (s *Server) AddCharacter(seed CharacterSeed) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	seed.ID = cmp.Or(seed.ID, s.world.nextID("char"))
	fallback(&seed.OrganizationID, s.opts.OrganizationID)
	fallback(&seed.CreatorID, "creator_000001")
	fallback(&seed.Status, "active")
	fallback(&seed.DatasetStatus, "completed")
	fallback(&seed.CreatedAt, now)
	fallback(&seed.UpdatedAt, seed.CreatedAt)
	added := &character{CharacterSeed: seed}
	face := seededUpload(*lookOf(seed))
	for range seed.FaceImages {
		s.addAsset(added, faceImage, face, now)
	}
	for i := range seed.BodyImages {
		s.addAsset(added, []string{frontImage, backImage}[i%2], face, now)
	}
	s.addDatasetImages(added, seed.DatasetImages)
	s.world.seeds = append(s.world.seeds, seed)
	s.world.add(added)
	return seed.ID
}

// Character returns a character; ok is false if there is none.
func (s *Server) Character(id string) (seed CharacterSeed, ok bool) {
	s.of(id, func(found *character) {
		seed = found.CharacterSeed
		ok = true
		seed.DatasetStatus = found.datasetWord(s.now())
	})
	return seed, ok
}

// of calls act with a character, if there is one, without a request.
func (s *Server) of(id string, act func(*character)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found := s.world.byID[id]; found != nil {
		act(found)
	}
}

// SetCharacter changes a character without a request. It does nothing
// if there is no such character.
func (s *Server) SetCharacter(id string, change func(*CharacterSeed)) {
	s.of(id, func(found *character) { change(&found.CharacterSeed) })
}

// RemoveCharacter deletes a character without a request.
func (s *Server) RemoveCharacter(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removeCharacter(id)
}

// removeCharacter also deletes the character's assets, dataset and jobs; its
// groups remain.
func (s *Server) removeCharacter(id string) {
	delete(s.world.byID, id)
	s.world.characters = slices.DeleteFunc(s.world.characters, func(c *character) bool { return c.ID == id })
}

// AddBodyLoRA gives a character a trained body LoRA.
func (s *Server) AddBodyLoRA(id string) {
	s.SetCharacter(id, func(c *CharacterSeed) { c.BodyLoRA = true })
}

// listCharacters is endpoint 9.
func (s *Server) listCharacters(c *call) (any, error) {
	limit := queryInt(c, "limit", 20)
	offset := queryInt(c, "offset", 0)
	page := characterListBody{
		Characters: []characterBody{},
		Filters:    filtersBody{OrganizationID: &c.organization, CreatorID: nullable(c.creator)},
	}
	var found []*character
	found, page.Pagination = paginate(s.opts.Variant.Pages, limit, offset, func(yield func(*character) bool) {
		for _, candidate := range s.world.characters {
			visible := candidate.OrganizationID == c.organization &&
				(c.creator == "" || candidate.CreatorID == c.creator) &&
				candidate.late.visible()
			if visible && !yield(candidate) {
				return
			}
		}
	})
	for _, candidate := range found {
		page.Characters = append(page.Characters, candidate.body(c.now))
	}
	return page, nil
}

// queryInt reads a parameter that was validated before.
func queryInt(c *call, name string, standard int) int {
	if value, err := strconv.Atoi(c.entry.Query.Get(name)); err == nil {
		return value
	}
	return standard
}

// updateCharacter is endpoint 10; omitted fields do not change.
func (s *Server) updateCharacter(c *call, update characterRequest) (any, error) {
	found := c.owner
	if update.Name != nil {
		if strings.TrimSpace(*update.Name) == "" {
			return nil, found.refuse(http.StatusBadRequest, "invalid_name", "name must not be empty")
		}
		found.Name = s.kept(*update.Name)
	}
	if update.Description != nil {
		found.Description = s.kept(*update.Description)
	}
	found.UpdatedAt = c.now
	return found.body(c.now), nil
}

// kept returns the form in which the service keeps a text.
func (s *Server) kept(text string) string {
	if s.opts.Variant.TrimTexts {
		text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	}
	return s.opts.Variant.Texts.of(text)
}

func (c *character) body(now time.Time) characterBody {
	return characterBody{
		CharacterID:     c.ID,
		OrganizationID:  c.OrganizationID,
		CreatorID:       c.CreatorID,
		Name:            c.Name,
		Description:     c.Description,
		Status:          c.Status,
		CurrentStep:     c.CurrentStep,
		FaceImagesCount: c.count(faceImage),
		BodyImagesCount: c.count(bodyImage),
		DatasetStatus:   c.datasetWord(now),
		FaceLoRAStatus:  c.faceStatus(now),
		BodyLoRAStatus:  c.bodyStatus(now),
		CreatedAt:       stamp(c.CreatedAt),
		UpdatedAt:       stamp(c.UpdatedAt),
		SubscriptionID:  nullable(c.SubscriptionID),
	}
}

// capabilities is endpoint 18. It knows every character of the organization,
// including those missing from the token's list.
func (s *Server) capabilities(c *call) (any, error) {
	found := c.owner
	face := found.faceTrained(c.now)
	body := found.bodyTrained(c.now)
	return capabilitiesBody{
		CharacterID:     found.ID,
		FaceLoRA:        c.lora(found, found.faceStatus(c.now), face, "face"),
		BodyLoRA:        c.lora(found, found.bodyStatus(c.now), body, "body"),
		CanGenerate:     override(found.CanGenerate, true),
		GenerationReady: face || body,
	}, nil
}

func (c *call) lora(owner *character, status string, available bool, kind string) loraBody {
	body := loraBody{Status: status, Available: available}
	if available {
		address := c.origin + "/media/lora/" + kind + "-" + fingerprint(owner.ID) + ".safetensors"
		body.URL = &address
	}
	return body
}

func override(value *bool, standard bool) bool {
	if value != nil {
		return *value
	}
	return standard
}

func nullable(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

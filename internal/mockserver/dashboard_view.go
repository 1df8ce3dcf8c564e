package mockserver

import (
	"fmt"
	"net/url"
	"slices"
	"time"
)

// dashboardView is the content of the dashboard.
type dashboardView struct {
	Variant         string
	BaseURL, APIKey string // how to reach the service; "" after the first request
	Balance, Spent  float64
	Pictures        int
	Requests        int
	Violations      []string
	Running         []runningView
	Chart           *chart
	Characters      []characterView
	Groups          []groupView
	Ledger          []bookingView
	Runs            []*runView
	Earlier         int // requests that are not shown
}

// runningView is a training, or the generations of a group that have not ended.
type runningView struct {
	Anchor, What, Of string
	Progress         int
	Ends             time.Time
	Left             time.Duration
}

type characterView struct {
	CharacterState
	Spent         float64
	Faces, Bodies []pictureView
	Images        []pictureView // of the dataset; approved images have no Status
	Approved      int
	Pictures      int // generated, and not deleted
	FaceStatus    string
	BodyStatus    string
	making        span // the latest generation of the dataset
}

type groupView struct {
	ID, Title, Character string
	Counts               []countView
	Pictures             []pictureView
}

// countView is how often something occurs.
type countView struct {
	Name  string
	Count int
}

func countIn(counts []countView, name string) []countView {
	for i := range counts {
		if counts[i].Name == name {
			counts[i].Count++
			return counts
		}
	}
	return append(counts, countView{name, 1})
}

// pictureView is a generation or an uploaded file. Without an Address it does
// not exist, or not yet.
type pictureView struct {
	ID, Address, Text, Status, Error string
	Progress                         int
}

func (s *Server) dashboardView(origin string) dashboardView {
	state := s.State()
	ledger := s.Ledger()
	now := s.now()
	requests, all := s.journal.latest(shownRequests)
	view := dashboardView{
		Variant:    state.Variant,
		Balance:    state.Balance,
		Spent:      ledger.Spent(),
		Pictures:   state.Media,
		Requests:   all,
		Earlier:    all - len(requests),
		Runs:       groupByRun(requests),
		Violations: s.Violations(),
		Chart:      newChart(ledger),
	}
	if all == 0 {
		view.BaseURL = origin + "/v2"
		view.APIKey = s.opts.APIKey
	}
	names := map[string]string{} // names of the characters, by id; also of deleted ones
	for _, gone := range ledger.Deletions {
		if gone.Kind == "character" {
			names[gone.ID] = gone.Name
		}
	}
	for _, c := range state.Characters {
		names[c.ID] = nameOf(c.CharacterSeed)
		shown := s.viewCharacter(c)
		view.Characters = append(view.Characters, shown)
		view.Running = append(view.Running, shown.running(now)...)
	}
	view.addUp(ledger, state.Groups)
	for _, g := range slices.Backward(state.Groups) {
		view.Groups = append(view.Groups, viewGroup(g, names[g.CharacterID]))
		view.Running = append(view.Running, runningGroup(g, now)...)
	}
	view.Ledger = ledgerRows(ledger, names)
	return view
}

func nameOf(c CharacterSeed) string {
	if c.Name == "" {
		return c.ID
	}
	return c.Name
}

// addUp sums up, for each character, its cost and its number of pictures.
func (v *dashboardView) addUp(ledger Ledger, groups []Group) {
	characters := map[string]*characterView{}
	for i := range v.Characters {
		characters[v.Characters[i].ID] = &v.Characters[i]
	}
	for _, entry := range ledger.Entries {
		if c := characters[entry.CharacterID]; c != nil {
			c.Spent += entry.Credits
		}
	}
	for _, g := range groups {
		for _, generation := range g.Generations {
			if c := characters[generation.CharacterID]; c != nil && generation.Status == wordCompleted {
				c.Pictures++
			}
		}
	}
}

func (s *Server) viewCharacter(c CharacterState) characterView {
	view := characterView{CharacterState: c}
	view.FaceStatus, view.BodyStatus, view.making = s.underWay(c.ID)
	for _, a := range c.Assets {
		shown := pictureView{
			ID:      a.ID,
			Address: address("assets", a.ID, a.SHA256[:8]),
			Text:    a.Filename,
		}
		switch a.Type {
		case faceImage:
			view.Faces = append(view.Faces, shown)
		case bodyImage:
			view.Bodies = append(view.Bodies, shown)
		}
	}
	for _, image := range c.Dataset {
		shown := pictureView{
			ID:      image.ID,
			Address: address("dataset", image.ID, image.CreatedAt.UnixMilli()+image.Seed),
			Text:    image.Prompt,
		}
		if image.Approved {
			view.Approved++
		} else {
			shown.Status = "not approved"
		}
		view.Images = append(view.Images, shown)
	}
	return view
}

// underWay returns the parts that a character's state lacks: the words for its
// LoRAs, and the latest generation of its dataset.
func (s *Server) underWay(characterID string) (face, body string, making span) {
	s.of(characterID, func(owner *character) {
		face = owner.faceStatus(s.now())
		body = owner.bodyStatus(s.now())
		making = owner.making
	})
	return face, body, making
}

func viewGroup(g Group, character string) groupView {
	view := groupView{
		ID:        g.ID,
		Title:     g.Title,
		Character: character,
	}
	for _, generation := range g.Generations {
		shown := pictureView{
			ID:       generation.ID,
			Text:     generation.Prompt,
			Status:   generation.Status,
			Error:    generation.Error,
			Progress: generation.Progress,
		}
		if generation.Status == wordCompleted {
			shown.Address = address("results", generation.ID, generation.CreatedAt.UnixMilli())
		}
		view.Pictures = append(view.Pictures, shown)
		view.Counts = countIn(view.Counts, generation.Status)
	}
	return view
}

// address returns where the dashboard fetches a media file. It contains a
// version, because ids are reused after a reset, and browsers remember pictures
// by their address.
func address(kind, id string, version any) string {
	return fmt.Sprintf("%s%s/%s.png?v=%v", picturePath, kind, url.PathEscape(id), version)
}

func (c characterView) running(now time.Time) []runningView {
	var found []runningView
	if !c.making.over(now) {
		found = append(found, runningView{
			Anchor:   "c-" + c.ID,
			What:     "Generating the dataset of",
			Of:       nameOf(c.CharacterSeed),
			Progress: c.making.percent(now),
			Ends:     c.making.end(),
			Left:     c.making.left(now),
		})
	}
	for _, t := range c.Trainings {
		if t.Status == wordTraining {
			found = append(found, runningView{
				Anchor:   "c-" + c.ID,
				What:     "Training the " + loraNames[t.Type] + " of",
				Of:       nameOf(c.CharacterSeed),
				Progress: t.Progress,
				Ends:     t.EndsAt,
				Left:     t.EndsAt.Sub(now),
			})
		}
	}
	return found
}

var loraNames = map[string]string{bodyJob: "body LoRA", faceJob: "face LoRA"}

// runningGroup returns nothing for a group whose generations have all ended.
func runningGroup(g Group, now time.Time) []runningView {
	var last Generation
	ended := 0
	progress := 0
	for _, generation := range g.Generations {
		progress += generation.Progress
		if generation.Status != wordQueued && generation.Status != wordProcessing {
			ended++
		} else if generation.EndsAt.After(last.EndsAt) {
			last = generation
		}
	}
	all := len(g.Generations)
	if ended == all {
		return nil
	}
	return []runningView{{
		Anchor:   "g-" + g.ID,
		What:     fmt.Sprintf("%d of %d generations ended:", ended, all),
		Of:       g.Title,
		Progress: progress / all,
		Ends:     last.EndsAt,
		Left:     last.EndsAt.Sub(now),
	}}
}

package mockserver

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
)

// categorization is the job of a video.
type categorization struct {
	id, organization string
	request          categoriesRequest
	work             span
	failure          string // why it fails once it is over
	late             later
}

// isVideo decides by the extension of an address.
func isVideo(address string) bool {
	parsed, err := url.Parse(address)
	return err == nil &&
		slices.Contains(
			[]string{".avi", ".m4v", ".mkv", ".mov", ".mp4", ".webm"},
			strings.ToLower(path.Ext(parsed.Path)),
		)
}

func (s *Server) categorizeLater(c *call, request categoriesRequest) categoryJobBody {
	job := &categorization{
		id:           s.world.nextID("category_job"),
		organization: c.organization,
		request:      request,
		work:         span{c.now, categorizationTime},
		late:         s.opts.Variant.later(),
	}
	job.failure, _ = matchReason(s.world.failures, request.MediaURL)
	s.world.categorizations[job.id] = job
	return categoryJobBody{JobID: job.id, Status: job.status(c.now)}
}

// categoryJob returns the state of a categorization to a poll.
func (s *Server) categoryJob(c *call) (any, error) {
	job := s.world.categorizations[c.params["job_id"]]
	if job == nil || !owns(c.organization, job.organization) || !job.late.visible() {
		return nil, notFound("categorization", c.params["job_id"])
	}
	body := categoryProgressBody{
		JobID:           job.id,
		Status:          job.status(c.now),
		PercentComplete: job.work.percent(c.now),
		Results:         []map[string]any{},
	}
	if body.Status == "COMPLETED" {
		body.Results = job.results()
	}
	return body, nil
}

// status returns one of the words that a real service was seen to use.
func (j *categorization) status(now time.Time) string {
	switch progress := j.work.percent(now); {
	case progress == 0:
		return "CREATED"
	case progress < 100:
		return "PROCESSING"
	case j.failure != "":
		return "FAILED"
	}
	return "COMPLETED"
}

// results returns the results of a single frame, or of one frame for each
// scene.
func (j *categorization) results() []map[string]any {
	timestamps := []float64{0}
	if j.request.UseScenes {
		timestamps = append(timestamps, 12.5)
	}
	var results []map[string]any
	for _, timestamp := range timestamps {
		result := map[string]any{"timestamp": timestamp}
		for name, words := range j.request.metadata() {
			result[name] = words
		}
		results = append(results, result)
	}
	return results
}

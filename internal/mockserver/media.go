package mockserver

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// picture is an image of the image endpoint, drawn when it is fetched.
type picture struct{ prompt string }

// Media returns the number of stored generated images: one for each completed
// generation that was not deleted. Assets and datasets do not count.
func (s *Server) Media() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	count := 0
	for _, g := range s.world.groups {
		for _, generation := range g.generations {
			count += len(generation.images("", s.now()))
		}
	}
	return count
}

// serveMedia serves /media/{kind}/{file}, which needs no token; a request with
// a token is a violation.
func (s *Server) serveMedia(w http.ResponseWriter, r *http.Request) bool {
	if !strings.HasPrefix(r.URL.Path, "/media/") || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	c := &call{
		r:     r,
		route: &route{name: RouteMedia},
		entry: s.journal.arrived(r, RouteMedia, s.opts.Now()),
	}
	if r.Header.Get("Authorization") != "" || r.Header.Get("apikey") != "" {
		s.violate("%s %s: a credential is sent to a media address", r.Method, c.entry.Path)
	}
	fault := s.rules.next(subject{route: RouteMedia, address: r.URL.RequestURI()})
	fault.holdRequest(r)
	out := s.mediaReply(r)
	fault.holdReply(r)
	fault.deliver(s, w, c, out)
	return true
}

func (s *Server) mediaReply(r *http.Request) *reply {
	if s.opts.Variant.SignedURLs && r.URL.Query().Get("signature") == "" {
		return s.render(errorBody{Error: "forbidden", Message: "the address is not signed"}, http.StatusForbidden)
	}
	body, contentType := s.mediaFile(strings.TrimPrefix(r.URL.EscapedPath(), "/media/"))
	if body == nil {
		return s.render(errorBody{Error: "not_found", Message: "no such file"}, http.StatusNotFound)
	}
	return &reply{
		status:      http.StatusOK,
		contentType: contentType,
		body:        body,
	}
}

// inline replaces addresses by data URIs with pictures of the text, in one
// variant.
func (s *Server) inline(text string, addresses []string) []string {
	size := s.opts.Variant.InlineMedia
	if size == 0 {
		return addresses
	}
	drawn := drawing{prompt: text}.png(16)
	if len(drawn) < size {
		drawn = append(drawn, make([]byte, size-len(drawn))...) // readers stop at the picture's end
	}
	for i := range addresses {
		addresses[i] = "data:image/png;base64," + base64.StdEncoding.EncodeToString(drawn)
	}
	return addresses
}

// mediaFile returns the file of an escaped path {kind}/{file}; body is nil if
// there is none. It draws without holding the lock, because drawing takes
// longest.
func (s *Server) mediaFile(escaped string) (body []byte, contentType string) {
	kind, escaped := path.Split(escaped)
	file, _ := url.PathUnescape(escaped) // the server has unescaped it without an error before
	name := strings.TrimSuffix(file, path.Ext(file))
	shown, content, found := s.findMedia(strings.Trim(kind, "/"), name)
	switch {
	case !found:
		return nil, ""
	case content != nil:
		return content, http.DetectContentType(content)
	}
	return shown.png(pictureSize), "image/png"
}

// findMedia returns the drawing of a picture, or the bytes of an upload.
func (s *Server) findMedia(kind, name string) (shown drawing, content []byte, found bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch kind {
	case "results":
		if g := s.world.generation("", name); g != nil && g.status(s.now()) == wordCompleted {
			return drawing{g.look, g.Prompt}, nil, true
		}
	case "images":
		if drawn := s.world.images[name]; drawn != nil {
			return drawing{prompt: drawn.prompt}, nil, true
		}
	case "lora":
		return drawing{}, []byte("weights of " + name), true
	default:
		return s.findCharacterMedia(kind, name)
	}
	return drawing{}, nil, false
}

func (s *Server) findCharacterMedia(kind, name string) (shown drawing, content []byte, found bool) {
	image, _, _ := strings.Cut(name, "-")
	for _, owner := range s.world.characters {
		if dataset := owner.datasetImage(image); kind == "dataset" && dataset != nil {
			return drawing{lookOf(owner.CharacterSeed), dataset.Prompt}, nil, true
		}
		for _, a := range owner.assets {
			if (kind == "assets" || kind == "storage") && a.ID == name {
				return drawing{prompt: a.Filename}, a.content, true
			}
		}
	}
	return drawing{}, nil, false
}

package mockserver

import "net/http"

const adminPath = "/_mock"

func (s *Server) serveAdmin(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }

package mockserver

import "net/http"

// GatewayNotFounds returns, by name, replies of a gateway that does not find
// the service behind it. They prove nothing about the requested object. The
// caller sets Route and Times.
func GatewayNotFounds() map[string]Fault {
	return map[string]Fault{
		"text": {Status: http.StatusNotFound, Body: "404 page not found\n"},
		"HTML": {
			Status: http.StatusNotFound,
			Body:   "<html><head><title>404 Not Found</title></head><body><center>nginx</center></body></html>",
		},
		"detail":    {Status: http.StatusNotFound, Body: `{"detail":"Not Found"}`},
		"message":   {Status: http.StatusNotFound, Body: `{"message":"no Route matched with those values"}`},
		"empty":     {Status: http.StatusNotFound},
		"gone":      {Status: http.StatusGone, Body: "410 Gone\n"},
		"gone HTML": {Status: http.StatusGone, Body: "<html><title>410 Gone</title></html>"},
		"gone JSON": {Status: http.StatusGone, Body: `{"message":"this version of the API was retired"}`},
	}
}

// MissingRoute returns, by status, the answers of a deployment without an
// endpoint of the extension. The caller sets Route and Times.
func MissingRoute() map[int]Fault {
	faults := map[int]Fault{}
	for _, status := range []int{http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented} {
		faults[status] = Fault{Status: status, Body: `{"error":"not_found","message":"no such endpoint"}`}
	}
	return faults
}

package mockserver

import "net/http"

// GatewayNotFounds are replies, by name, of something in front of the service
// that does not find it, or no longer: they say nothing of the object that was
// asked for. Route and times are the caller's.
func GatewayNotFounds() map[string]Fault {
	return map[string]Fault{
		"text":      {Status: http.StatusNotFound, Body: "404 page not found\n"},
		"HTML":      {Status: http.StatusNotFound, Body: "<html><head><title>404 Not Found</title></head><body><center>nginx</center></body></html>"},
		"detail":    {Status: http.StatusNotFound, Body: `{"detail":"Not Found"}`},
		"message":   {Status: http.StatusNotFound, Body: `{"message":"no Route matched with those values"}`},
		"empty":     {Status: http.StatusNotFound},
		"gone":      {Status: http.StatusGone, Body: "410 Gone\n"},
		"gone HTML": {Status: http.StatusGone, Body: "<html><title>410 Gone</title></html>"},
		"gone JSON": {Status: http.StatusGone, Body: `{"message":"this version of the API was retired"}`},
	}
}

package api

import (
	"os"
	"path/filepath"
	"sync"
)

// process says which process has made an entry of the purchase log, and where it
// works: only the same directory of the same host answers for its purchases.
type process struct {
	PID int `json:"pid"`
	// Started tells it from a later process of the same number; empty where the
	// system does not say.
	Started   string `json:"started,omitempty"`
	Host      string `json:"host,omitempty"`
	Directory string `json:"directory,omitempty"`
	// Address is the service's, and Organization empty if it is unknown.
	Address      string `json:"address,omitempty"`
	Organization string `json:"organization,omitempty"`
}

var thisProcess = sync.OnceValue(func() process {
	this := process{PID: os.Getpid()}
	this.Started, _ = startOf(this.PID)
	this.Host, _ = os.Hostname()
	if directory, err := os.Getwd(); err == nil {
		// $PWD may name a link.
		this.Directory, _ = filepath.EvalSymlinks(directory)
	}
	return this
})

// by is this process, and whom it asks.
func (c *Client) by() *process {
	this, caller := thisProcess(), c.Made().By
	this.Address, this.Organization = caller.Address, caller.Organization
	return &this
}

// isThis reports whether it is this very process.
func (p process) isThis() bool {
	this := thisProcess()
	return p.PID == this.PID && p.Started == this.Started && p.Host == this.Host
}

// asksLike reports whether two processes ask the same address as, so far as is known,
// the same organization.
func (p process) asksLike(other *process) bool {
	return p.Address == other.Address && (p.Organization == other.Organization || p.Organization == "" || other.Organization == "")
}

// isKilled reports whether the process worked in this directory of this host, and is
// known to have ended.
func (p process) isKilled() bool {
	this := thisProcess()
	if p.Host == "" || p.Host != this.Host || p.Directory == "" || p.Directory != this.Directory || p.Started == "" {
		return false
	}
	started, known := startOf(p.PID)
	return known && started != p.Started
}

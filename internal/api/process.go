package api

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// process says which process answers for an entry of the purchase log, and where it works: only the
// same directory of the same host answers for what it leaves.
type process struct {
	PID          int    `json:"pid"`
	Run          string `json:"run"` // random, names the file of running
	Host         string `json:"host,omitempty"`
	Directory    string `json:"directory,omitempty"`
	Address      string `json:"address,omitempty"` // of the service
	Organization string `json:"organization,omitempty"`
}

func thisProcess() process {
	this := process{PID: os.Getpid(), Run: strings.ToLower(rand.Text())}
	this.Host, _ = os.Hostname()
	if directory, err := os.Getwd(); err == nil {
		this.Directory, _ = filepath.EvalSymlinks(directory) // $PWD may name a link
	}
	return this
}

// by is this process, and whom it asks.
func (c *Client) by() *process {
	this, caller := c.log.process, c.Made().By
	this.Address, this.Organization = caller.Address, caller.Organization
	return &this
}

// running is the file that a process keeps locked as long as it answers for purchases: the system
// unlocks it when the process ends, however it does.
type running struct {
	mutex     sync.Mutex
	file      *os.File
	purchases int
}

func (l *purchaseLog) runningFile(run string) string { return l.path + "." + run + ".running" }

// answersFor counts purchases that have begun, or, if negative, that have returned.
func (l *purchaseLog) answersFor(purchases int) (err error) {
	l.running.mutex.Lock()
	defer l.running.mutex.Unlock()
	if l.path == "" || purchases == 0 {
		return nil
	}
	if l.running.purchases == 0 {
		if l.running.file, err = os.OpenFile(l.runningFile(l.process.Run), os.O_CREATE|os.O_RDWR, 0o600); err == nil {
			err = lock(l.running.file, true)
		}
		if err != nil {
			return err
		}
	}
	if l.running.purchases += purchases; l.running.purchases == 0 {
		_ = l.running.file.Close()
		_ = os.Remove(l.running.file.Name())
	}
	return nil
}

// isKilled reports whether a process worked in this directory of this host, and has ended.
func (l *purchaseLog) isKilled(other *process) bool {
	if other.Host != l.process.Host || other.Directory != l.process.Directory {
		return false
	}
	file, err := os.OpenFile(l.runningFile(other.Run), os.O_RDWR, 0)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	ended := lock(file, false) == nil
	if _ = file.Close(); ended {
		_ = os.Remove(file.Name())
	}
	return ended
}

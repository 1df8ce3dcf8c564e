package api

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// startOf returns when a process was started, in clock ticks since the system's start;
// empty if there is none. It is not known if the system does not say.
func startOf(pid int) (started string, known bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		_, own := os.Stat("/proc/self/stat")
		return "", errors.Is(err, fs.ErrNotExist) && own == nil
	}
	// The second field, the command in parentheses, may have blanks. The start is the
	// 22nd field, and the third, by which a dead process that nobody waits for is told,
	// the first after it.
	text := string(stat)
	fields := strings.Fields(text[strings.LastIndex(text, ")")+1:])
	if len(fields) < 20 {
		return "", false
	}
	if fields[0] == "Z" || fields[0] == "X" {
		return "", true
	}
	return fields[19], true
}

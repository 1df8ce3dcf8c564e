package mockserver

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// bookingView is a row of the ledger.
type bookingView struct {
	LedgerEntry
	Anchor    string
	Character string // the character's name
	Balance   float64
	Deleted   bool // costs nothing, and has no balance
}

// What returns the row's kind and name.
func (b bookingView) What() string {
	if b.Deleted {
		return strings.TrimSpace("deleted " + b.Kind + " " + b.Name)
	}
	return strings.TrimSpace(b.Name + " " + b.Kind)
}

// Unit is the word after the credits.
func (b bookingView) Unit() string {
	if b.Credits == 1 {
		return "credit"
	}
	return "credits"
}

func bookings(ledger Ledger) []bookingView {
	balance := ledger.Balance + ledger.Spent()
	var rows []bookingView
	for i, entry := range ledger.Entries {
		balance -= entry.Credits
		rows = append(rows, bookingView{
			LedgerEntry: entry,
			Anchor:      anchor("b", i),
			Balance:     balance,
		})
	}
	return rows
}

// ledgerRows returns bookings and deletions, in the order of their times.
func ledgerRows(ledger Ledger, names map[string]string) []bookingView {
	rows := bookings(ledger)
	for i, entry := range ledger.Deletions {
		rows = append(rows, bookingView{
			LedgerEntry: entry,
			Anchor:      anchor("d", i),
			Deleted:     true,
		})
	}
	for i, row := range rows {
		rows[i].Character = cmp.Or(names[row.CharacterID], row.CharacterID)
	}
	slices.SortStableFunc(rows, func(a, b bookingView) int { return a.At.Compare(b.At) })
	return rows
}

func anchor(kind string, position int) string { return fmt.Sprintf("%s-%d", kind, position+1) }

// chart is the balance over time: a line in a square of 100 by 100, which is
// stretched, with a point at each booking.
type chart struct {
	Line        string // path data
	Points      []chartPoint
	High, Low   float64 // balances at its top and bottom
	First, Last time.Time
}

type chartPoint struct {
	X, Y         float64
	Anchor, Text string
}

// chartMargin is also the padding of the times below the chart, in
// dashboard.css.
const chartMargin = 8.0

// newChart returns nil before the first booking.
func newChart(ledger Ledger) *chart {
	if len(ledger.Entries) == 0 {
		return nil
	}
	rows := bookings(ledger)
	start := rows[0].Balance + rows[0].Credits
	last := rows[len(rows)-1]
	c := &chart{
		High:  start,
		Low:   last.Balance,
		First: rows[0].At,
		Last:  last.At,
	}
	line := []string{fmt.Sprintf("M0 %g", c.y(start))}
	for _, row := range rows {
		point := chartPoint{
			c.x(row.At), c.y(row.Balance), row.Anchor,
			fmt.Sprintf("%s %s: %s %s", row.What(), row.ID, credits(row.Credits), row.Unit()),
		}
		c.Points = append(c.Points, point)
		line = append(line, fmt.Sprintf("H%g V%g", point.X, point.Y))
	}
	c.Line = strings.Join(append(line, "H100"), " ")
	return c
}

func (c *chart) x(at time.Time) float64 {
	return scale(float64(at.Sub(c.First)), float64(c.Last.Sub(c.First)))
}

func (c *chart) y(balance float64) float64 { return scale(c.High-balance, c.High-c.Low) }

// scale maps 0 to whole into the chart without its margins.
func scale(part, whole float64) float64 {
	share := 0.5
	if whole > 0 {
		share = part / whole
	}
	return math.Round(100*(chartMargin+share*(100-2*chartMargin))) / 100
}

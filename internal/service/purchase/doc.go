// Package purchase holds the data source that reads the purchase log. It sends
// no request, and costs nothing.
package purchase

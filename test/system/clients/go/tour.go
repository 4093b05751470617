// A tour of Muster with a client that oapi-codegen generated.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"tour/muster"
)

var ctx = context.Background()

func main() {
	client := must(muster.NewClientWithResponses(os.Getenv("MUSTER_URL"), muster.WithRequestEditorFn(authenticate)))

	// Create a region, a cell and a host. With an Idempotency-Key, a request can be repeated without creating another region.
	var north muster.CreateRegions
	check(north.FromCreateRegion(muster.CreateRegion{Name: "north"}))
	once := &muster.RegionsCreateParams{IdempotencyKey: ptr("tour-north")}
	first := must(client.RegionsCreateWithResponse(ctx, once, north))
	region := must(result(first.JSON201, first.Body).AsRegion())
	repeated := must(client.RegionsCreateWithResponse(ctx, once, north))
	again := must(result(repeated.JSON201, repeated.Body).AsRegion())

	var rack muster.CreateCells
	check(rack.FromCreateCell(muster.CreateCell{Name: "rack-a", RegionId: region.Id}))
	cells := must(client.CellsCreateWithResponse(ctx, nil, rack))
	cell := must(result(cells.JSON201, cells.Body).AsCell())

	newHost := func(name, address string) muster.CreateHost {
		return muster.CreateHost{
			Name: name, RegionId: region.Id, CellId: &cell.Id, IpAddress: address, DeviceType: "server",
		}
	}
	one := func(host muster.CreateHost) (hosts muster.CreateHosts) {
		check(hosts.FromCreateHost(host))
		return hosts
	}
	created := must(client.HostsCreateWithResponse(ctx, nil, one(newHost("web-1", "10.1.0.10"))))
	web := must(result(created.JSON201, created.Body).AsHost())
	fmt.Printf("Created the region %s, the cell %s and the host %s.\n", region.Name, cell.Name, web.Name)
	fmt.Printf("Sent again with the same Idempotency-Key: %s region.\n", choose(again.Id == region.Id, "the same", "another"))
	createdAt := must(time.Parse(time.RFC3339, web.CreatedAt))
	if time.Since(createdAt) < time.Hour {
		fmt.Println("web-1 was created within the last hour.")
	}

	// Create several hosts with one request: all or none.
	var more []muster.CreateHost
	for number := 1; number <= 24; number++ {
		more = append(more, newHost(fmt.Sprintf("db-%d", number), fmt.Sprintf("10.1.1.%d", number)))
	}
	var several muster.CreateHosts
	check(several.FromCreateHostList(more))
	bulk := must(client.HostsCreateWithResponse(ctx, nil, several))
	databases := must(result(bulk.JSON201, bulk.Body).AsHostList())
	fmt.Printf("Created %d hosts with one request.\n", len(databases))

	// List all hosts by pages, until one is empty: the marker of the next page is the id of the last host of this one.
	var pages []string
	page := &muster.HostsListParams{Limit: ptr(10)}
	for {
		listed := must(client.HostsListWithResponse(ctx, page))
		hosts := result(listed.JSON200, listed.Body)
		if len(hosts) == 0 {
			break
		}
		pages = append(pages, strconv.Itoa(len(hosts)))
		page.Marker = ptr(strconv.FormatInt(*hosts[len(hosts)-1].Id, 10))
	}
	fmt.Printf("Pages of hosts: %s.\n", strings.Join(pages, ", "))

	// Set variables on a region and on a host. Hosts inherit those of their region and cell.
	servers := muster.VariableMap{"ntp_servers": []string{"10.1.0.1", "10.1.0.2"}}
	setServers := must(client.RegionVariablesSetWithResponse(ctx, region.Id, nil, servers))
	result(setServers.JSON200, setServers.Body)
	setKernel := must(client.HostVariablesSetWithResponse(ctx, web.Id, nil, muster.VariableMap{"kernel": "6.12"}))
	result(setKernel.JSON200, setKernel.Body)
	own := must(client.HostVariablesGetWithResponse(ctx, web.Id, nil))
	for key, value := range result(own.JSON200, own.Body).Variables {
		fmt.Printf("Own variables of web-1: %s %v.\n", key, value)
	}
	withInherited := &muster.HostVariablesGetParams{ResolvedValues: ptr(true)}
	read := must(client.HostVariablesGetWithResponse(ctx, web.Id, withInherited))
	resolved := result(read.JSON200, read.Body).Variables
	ntp := resolved["ntp_servers"].([]any)
	fmt.Printf("Resolved variables of web-1: kernel %v, NTP servers %v and %v.\n", resolved["kernel"], ntp[0], ntp[1])

	// Filter by resolved variables.
	filter := &muster.HostsListParams{Vars: ptr(`kernel:"6.12"`)}
	filtered := must(client.HostsListWithResponse(ctx, filter))
	for _, host := range result(filtered.JSON200, filtered.Body) {
		fmt.Printf("Hosts with kernel 6.12: %s.\n", *host.Name)
	}

	// Errors have a code, and details that name the field.
	invalid := must(client.HostsCreateWithResponse(ctx, nil, one(newHost("web-2", "10.1.0"))))
	refusal := result(invalid.JSON400, invalid.Body)
	fmt.Printf("400 %s: %s.\n", refusal.Code, refusal.Details[0].Field)
	missing := must(client.HostsShowWithResponse(ctx, web.Id+1_000_000, nil))
	fmt.Printf("404 %s.\n", result(missing.JSON404, missing.Body).Code)
	duplicate := must(client.HostsCreateWithResponse(ctx, nil, one(newHost("web-1", "10.1.0.11"))))
	fmt.Printf("409 %s.\n", result(duplicate.JSON409, duplicate.Body).Code)

	// Update a host only if nobody else has changed it since it was read.
	shown := must(client.HostsShowWithResponse(ctx, web.Id, nil))
	version := result(shown.JSON200, shown.Body).Version
	moved := muster.UpdateHost{Note: ptr("moved")}
	ifVersion := func(version int64) *muster.HostsUpdateParams {
		return &muster.HostsUpdateParams{IfMatch: ptr(fmt.Sprintf(`"%d"`, version))}
	}
	stale := must(client.HostsUpdateWithResponse(ctx, web.Id, ifVersion(int64(version)+1), moved))
	fmt.Printf("412 %s.\n", result(stale.JSON412, stale.Body).Code)
	update := must(client.HostsUpdateWithResponse(ctx, web.Id, ifVersion(int64(version)), moved))
	updated := must(result(update.JSON200, update.Body).AsHost())
	fmt.Printf("Updated with If-Match: web-1 has the note %q.\n", *updated.Note)

	// A dry run validates a write and returns what it would do.
	try := must(client.HostsDeleteWithResponse(ctx, web.Id, &muster.HostsDeleteParams{DryRun: ptr(true)}))
	preview := result(try.JSON200, try.Body)
	still := must(client.HostsShowWithResponse(ctx, web.Id, nil))
	fmt.Printf("Dry run: would delete %d host. %s is still there.\n",
		preview.Change.ObjectsTotal, result(still.JSON200, still.Body).Name)

	// Set variables on many hosts with one request.
	var ids []int64
	for _, host := range databases {
		ids = append(ids, host.Id)
	}
	selected := muster.SetVariables{Ids: &ids, Variables: map[string]any{"kernel": "6.13"}}
	set := must(client.HostsSetVariablesWithResponse(ctx, nil, selected))
	outcome := must(result(set.JSON200, set.Body).AsVariableSetOutcome())
	fmt.Printf("Set kernel 6.13 on %d hosts with one request.\n", outcome.Updated)

	// Delete: 204 has no content.
	for _, id := range append(ids, web.Id) {
		deleted := must(client.HostsDeleteWithResponse(ctx, id, nil))
		expectStatus(http.StatusNoContent, deleted.StatusCode(), deleted.Body)
	}
	deletedCell := must(client.CellsDeleteWithResponse(ctx, cell.Id, nil))
	expectStatus(http.StatusNoContent, deletedCell.StatusCode(), deletedCell.Body)
	deletedRegion := must(client.RegionsDeleteWithResponse(ctx, region.Id, nil))
	expectStatus(http.StatusNoContent, deletedRegion.StatusCode(), deletedRegion.Body)
	fmt.Println("Deleted all.")
}

func authenticate(_ context.Context, request *http.Request) error {
	request.Header.Set("Authorization", "Bearer "+os.Getenv("MUSTER_TOKEN"))
	// Times with a zone: without this header, they are UTC without one.
	request.Header.Set("Prefer", "times=rfc3339")
	return nil
}

// result returns the body of a response with the expected status. It is nil if the response has another status.
func result[T any](expected *T, body []byte) T {
	if expected == nil {
		log.Panicf("unexpected response: %s", body)
	}
	return *expected
}

func expectStatus(expected, actual int, body []byte) {
	if actual != expected {
		log.Panicf("unexpected status %d: %s", actual, body)
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		log.Panic(err)
	}
}

func ptr[T any](value T) *T { return &value }

func choose(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

// Prints the hosts of a cell that have a kernel, with their NTP servers, as CSV: hosts-as-csv <cell> <kernel>
package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"

	"tour/muster"
)

func main() {
	cellName, kernel := os.Args[1], os.Args[2]
	ctx := context.Background()
	authenticate := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("MUSTER_TOKEN"))
		return nil
	}
	client, err := muster.NewClientWithResponses(os.Getenv("MUSTER_URL"), muster.WithRequestEditorFn(authenticate))
	if err != nil {
		log.Fatal(err)
	}
	table := csv.NewWriter(os.Stdout)
	defer table.Flush()
	table.Write([]string{"name", "ip_address", "ntp_servers"})

	// The names of cells are unique in a region: several regions can have a cell of this name.
	cells, err := client.CellsListWithResponse(ctx, &muster.CellsListParams{Name: &cellName})
	if err != nil {
		log.Fatal(err)
	}
	if cells.JSON200 == nil { // An error: JSON400, JSON401 and so on have its code.
		log.Fatalf("%s: %s", cells.Status(), cells.Body)
	}
	for _, cell := range *cells.JSON200 {
		// The filter and the variables are resolved: it does not matter where a variable is set.
		value, err := json.Marshal(kernel)
		if err != nil {
			log.Fatal(err)
		}
		filter, limit := "kernel:"+string(value), 1000
		cellIds := []string{strconv.FormatInt(*cell.Id, 10)} // "null" would be the hosts without a cell.
		query := &muster.HostsListParams{CellId: &cellIds, Vars: &filter, Limit: &limit}
		for {
			page, err := client.HostsListWithResponse(ctx, query)
			if err != nil {
				log.Fatal(err)
			}
			if page.JSON200 == nil {
				log.Fatalf("%s: %s", page.Status(), page.Body)
			}
			hosts := *page.JSON200
			for _, host := range hosts {
				var servers []string
				values, _ := (*host.Variables)["ntp_servers"].([]any) // Without the variable, there are none.
				for _, server := range values {
					servers = append(servers, fmt.Sprint(server))
				}
				table.Write([]string{*host.Name, *host.IpAddress, strings.Join(servers, " ")})
			}
			if len(hosts) == 0 {
				break
			}
			marker := strconv.FormatInt(*hosts[len(hosts)-1].Id, 10)
			query.Marker = &marker
		}
	}
}

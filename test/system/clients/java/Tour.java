import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import muster.ApiClient;
import muster.ApiException;
import muster.JSON;
import muster.api.CellsApi;
import muster.api.HostsApi;
import muster.api.RegionsApi;
import muster.api.VariablesApi;
import muster.model.ApiError;
import muster.model.Cell;
import muster.model.CreateCell;
import muster.model.CreateCells;
import muster.model.CreateHost;
import muster.model.CreateHosts;
import muster.model.CreateRegion;
import muster.model.CreateRegions;
import muster.model.ErrorDetail;
import muster.model.Host;
import muster.model.HostListItem;
import muster.model.Preview;
import muster.model.Region;
import muster.model.SetVariables;
import muster.model.UpdateHost;

/** A tour of Muster with a Java client that openapi-generator generated. */
public class Tour {
  public static void main(String[] arguments) throws ApiException {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("MUSTER_URL"));
    client.setBearerToken(System.getenv("MUSTER_TOKEN"));
    // Times with a zone: without this header, they are UTC without one.
    client.addDefaultHeader("Prefer", "times=rfc3339");
    RegionsApi regions = new RegionsApi(client);
    CellsApi cells = new CellsApi(client);
    HostsApi hosts = new HostsApi(client);
    VariablesApi variables = new VariablesApi(client);

    // Create a region, a cell and a host. With an Idempotency-Key, a request can be repeated without creating another
    // region.
    CreateRegions north = new CreateRegions(new CreateRegion().name("north"));
    Region region = regions.regionsCreate(north).idempotencyKey("tour-north").execute().getRegion();
    Region again = regions.regionsCreate(north).idempotencyKey("tour-north").execute().getRegion();
    CreateCells rack = new CreateCells(new CreateCell().name("rack-a").regionId(region.getId()));
    Cell cell = cells.cellsCreate(rack).execute().getCell();
    CreateHosts one = new CreateHosts(named(region, cell, "web-1", "10.1.0.10"));
    Host web = hosts.hostsCreate(one).execute().getHost();
    System.out.printf(
        "Created the region %s, the cell %s and the host %s.%n", region.getName(), cell.getName(), web.getName());
    String which = again.getId().equals(region.getId()) ? "the same" : "another";
    System.out.printf("Sent again with the same Idempotency-Key: %s region.%n", which);
    OffsetDateTime created = OffsetDateTime.parse(web.getCreatedAt());
    if (Duration.between(created, OffsetDateTime.now()).toHours() < 1) {
      System.out.println("web-1 was created within the last hour.");
    }

    // Create several hosts with one request: all or none.
    List<CreateHost> more =
        IntStream.rangeClosed(1, 24)
            .mapToObj(number -> named(region, cell, "db-" + number, "10.1.1." + number))
            .collect(Collectors.toList());
    List<Host> databases = hosts.hostsCreate(new CreateHosts(more)).execute().getListHost();
    System.out.printf("Created %d hosts with one request.%n", databases.size());

    // List all hosts by pages, until one is empty: the marker of the next page is the id of the last host of this one.
    List<String> pages = new ArrayList<>();
    List<HostListItem> page = hosts.hostsList().limit(10).execute();
    while (!page.isEmpty()) {
      pages.add(String.valueOf(page.size()));
      String marker = String.valueOf(page.get(page.size() - 1).getId());
      page = hosts.hostsList().limit(10).marker(marker).execute();
    }
    System.out.printf("Pages of hosts: %s.%n", String.join(", ", pages));

    // Set variables on a region and on a host. Hosts inherit those of their region and cell.
    Map<String, Object> servers = Map.of("ntp_servers", List.of("10.1.0.1", "10.1.0.2"));
    variables.regionVariablesSet(region.getId(), servers).execute();
    variables.hostVariablesSet(web.getId(), Map.of("kernel", "6.12")).execute();
    Map<String, Object> own = variables.hostVariablesGet(web.getId()).execute().getVariables();
    System.out.printf("Own variables of web-1: %s %s.%n", String.join(", ", own.keySet()), own.get("kernel"));
    Map<String, Object> resolved =
        variables.hostVariablesGet(web.getId()).resolvedValues(true).execute().getVariables();
    List<?> ntp = (List<?>) resolved.get("ntp_servers");
    System.out.printf(
        "Resolved variables of web-1: kernel %s, NTP servers %s and %s.%n", resolved.get("kernel"), ntp.get(0), ntp.get(1));

    // Filter by resolved variables.
    List<HostListItem> matching = hosts.hostsList().vars("kernel:\"6.12\"").execute();
    System.out.printf(
        "Hosts with kernel 6.12: %s.%n",
        matching.stream().map(HostListItem::getName).collect(Collectors.joining(", ")));

    // Errors have a code, and details that name the field.
    CreateHosts invalid = new CreateHosts(named(region, cell, "web-2", "10.1.0"));
    ApiError error = refusal(400, () -> hosts.hostsCreate(invalid).execute());
    System.out.printf(
        "400 %s: %s.%n",
        error.getCode(), error.getDetails().stream().map(ErrorDetail::getField).collect(Collectors.joining(", ")));
    System.out.printf("404 %s.%n", refusal(404, () -> hosts.hostsShow(web.getId() + 1_000_000).execute()).getCode());
    CreateHosts duplicate = new CreateHosts(named(region, cell, "web-1", "10.1.0.11"));
    System.out.printf("409 %s.%n", refusal(409, () -> hosts.hostsCreate(duplicate).execute()).getCode());

    // Update a host only if nobody else has changed it since it was read.
    long version = hosts.hostsShow(web.getId()).execute().getVersion();
    UpdateHost moved = new UpdateHost().note("moved");
    String stale = "\"" + (version + 1) + "\"";
    System.out.printf(
        "412 %s.%n", refusal(412, () -> hosts.hostsUpdate(web.getId(), moved).ifMatch(stale).execute()).getCode());
    Host updated = hosts.hostsUpdate(web.getId(), moved).ifMatch("\"" + version + "\"").execute().getHost();
    System.out.printf("Updated with If-Match: web-1 has the note \"%s\".%n", updated.getNote());

    // A dry run validates a write and returns what it would do.
    Preview preview = hosts.hostsDelete(web.getId()).dryRun(true).execute();
    Host still = hosts.hostsShow(web.getId()).execute();
    System.out.printf(
        "Dry run: would delete %d host. %s is still there.%n", preview.getChange().getObjectsTotal(), still.getName());

    // Set variables on many hosts with one request.
    List<Long> ids = databases.stream().map(Host::getId).collect(Collectors.toList());
    SetVariables selected = new SetVariables().ids(ids).variables(Map.of("kernel", "6.13"));
    long count = variables.hostsSetVariables(selected).execute().getVariableSetOutcome().getUpdated();
    System.out.printf("Set kernel 6.13 on %d hosts with one request.%n", count);

    // Delete: 204 has no content.
    hosts.hostsDelete(web.getId()).execute();
    for (Long id : ids) hosts.hostsDelete(id).execute();
    cells.cellsDelete(cell.getId()).execute();
    regions.regionsDelete(region.getId()).execute();
    System.out.println("Deleted all.");
  }

  private static CreateHost named(Region region, Cell cell, String name, String address) {
    return new CreateHost()
        .name(name)
        .regionId(region.getId())
        .cellId(cell.getId())
        .ipAddress(address)
        .deviceType("server");
  }

  private interface Request {
    void send() throws ApiException;
  }

  /** The error with which a request fails. */
  private static ApiError refusal(int status, Request request) {
    try {
      request.send();
    } catch (ApiException exception) {
      if (exception.getCode() == status) return JSON.deserialize(exception.getResponseBody(), ApiError.class);
      throw new IllegalStateException(exception);
    }
    throw new IllegalStateException("The request did not fail.");
  }
}

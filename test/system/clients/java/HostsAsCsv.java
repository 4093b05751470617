import java.util.List;
import java.util.stream.Collectors;
import muster.ApiClient;
import muster.ApiException;
import muster.api.CellsApi;
import muster.api.HostsApi;
import muster.model.CellListItem;
import muster.model.HostListItem;

/** Prints the hosts of a cell that have a kernel, with their NTP servers, as CSV: HostsAsCsv <cell> <kernel> */
public class HostsAsCsv {
  public static void main(String[] arguments) throws ApiException {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("MUSTER_URL"));
    client.setBearerToken(System.getenv("MUSTER_TOKEN"));
    String filter = "kernel:\"" + arguments[1] + "\"";
    System.out.println("name,ip_address,ntp_servers");

    // The names of cells are unique in a region: several regions can have a cell of this name.
    for (CellListItem cell : new CellsApi(client).cellsList().name(arguments[0]).execute()) {
      String marker = null;
      List<HostListItem> page;
      do {
        // The filter and the variables are resolved: it does not matter where a variable is set.
        page =
            new HostsApi(client)
                .hostsList()
                .cellId(List.of(cell.getId().toString()))
                .vars(filter)
                .limit(1000)
                .marker(marker)
                .execute();
        for (HostListItem host : page) {
          List<?> servers = (List<?>) host.getVariables().getOrDefault("ntp_servers", List.of());
          String joined = servers.stream().map(String::valueOf).collect(Collectors.joining(" "));
          System.out.println(String.join(",", host.getName(), host.getIpAddress(), joined));
        }
        if (!page.isEmpty()) marker = String.valueOf(page.get(page.size() - 1).getId());
      } while (!page.isEmpty());
    }
  }
}

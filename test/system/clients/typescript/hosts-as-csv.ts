// Prints the hosts of a cell that have a kernel, with their NTP servers, as CSV: hosts-as-csv.js <cell> <kernel>
import { client } from './muster/client.gen.js';
import { cellsList, hostsList } from './muster/sdk.gen.js';

client.setConfig({
  baseUrl: process.env.MUSTER_URL,
  auth: ({ scheme }) => (scheme === 'bearer' ? process.env.MUSTER_TOKEN : undefined),
  throwOnError: true,
});

const [cellName, kernel] = process.argv.slice(2);
console.log('name,ip_address,ntp_servers');
// The names of cells are unique in a region: several regions can have a cell of this name.
const { data: cells } = await cellsList<true>({ query: { name: cellName } });
for (const cell of cells) {
  let marker: string | undefined;
  do {
    // The filter and the variables are resolved: it does not matter where a variable is set.
    const vars = `kernel:${JSON.stringify(kernel)}`;
    const query = { cell_id: [String(cell.id)], vars, limit: 1000, marker };
    const { data: hosts } = await hostsList<true>({ query });
    for (const { name, ip_address, variables } of hosts) {
      const servers = (variables?.ntp_servers ?? []) as string[];
      console.log([name, ip_address, servers.join(' ')].join(','));
    }
    marker = hosts.length > 0 ? String(hosts.at(-1)?.id) : undefined;
  } while (marker !== undefined);
}

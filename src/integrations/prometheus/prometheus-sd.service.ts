import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../core/context/request-context';
import type { BodySink } from '../../http/streamed-response';
import type { Queryable } from '../../database/database';
import { sql } from '../../database/sql';
import type { ReadHost } from '../hosts/host-query';
import { HostReadings, type Asker } from '../hosts/host-query.service';
import { labelPair } from './label-pairs';
import { LeftOut, LeftOutLog } from './skipped-hosts';
import { metaNames } from './meta-label-names';
import type { ScrapeQuery } from './scrape-query';
import { targetOf, type ScrapedHost, type ScrapedProject } from './target';

const COLUMNS = sql`t.id, t.uuid, t.name, t.device_type, host(t.ip_address) AS ip_address,
  (SELECT r.name FROM regions r WHERE r.project_id = t.project_id AND r.id = t.region_id) AS region,
  (SELECT c.name FROM cells c WHERE c.project_id = t.project_id AND c.id = t.cell_id) AS cell,
  ARRAY(SELECT l.label FROM device_labels a JOIN labels l ON l.project_id = a.project_id AND l.id = a.label_id
    WHERE a.project_id = t.project_id AND a.device_id = t.id ORDER BY l.label) AS labels`;

/** Writes targets as Prometheus reads them from HTTP. */
@Injectable()
export class PrometheusSdService {
  constructor(
    private readonly readings: HostReadings,
    private readonly leftOut: LeftOutLog,
  ) {}

  /**
   * Writes the targets that hosts of the project are.
   * @throws InventoryError 400, 404 for a filter by what the caller cannot see, 503 if too many wait for their turn
   */
  async write(asker: Asker, query: ScrapeQuery, sink: BodySink, gone: AbortSignal): Promise<void> {
    const leftOut = new LeftOut();
    await this.readings.read(asker, gone, query, async (hosts) => {
      const project = await projectOf(hosts.ctx, query, hosts.on);
      await sink.write('[');
      let separator = '';
      for await (const host of hosts.hosts<ScrapedHost>(COLUMNS)) {
        const target = targetOf(host.row, project, query, valuesOf(host));
        if (target === 'not scraped') continue;
        if ('senseless' in target) {
          leftOut.add(host.row.name, target.senseless);
          continue;
        }
        await sink.write(`${separator}${target.entry}`);
        separator = ',';
      }
      await sink.write(']');
    });
    this.leftOut.note(asker.ctx.projectId, query, leftOut);
  }
}

/** What a host resolves, key by key: its document is not put together for a few of them. */
function valuesOf({ row, levels }: ReadHost<ScrapedHost>): (key: string) => string | undefined {
  const own = levels.own(row);
  const inherited = levels.inheritedBy(row);
  return (key) => own.get(JSON.stringify(key)) ?? inherited.get(JSON.stringify(key));
}

/** The names of all labels of the project take part: a label is called the same, whichever hosts are asked for. */
async function projectOf(
  { projectId }: RequestContext,
  { shown }: ScrapeQuery,
  on: Queryable,
): Promise<ScrapedProject> {
  const [project] = await on.rows<{ name: string }>(sql`SELECT name FROM projects WHERE id = ${projectId}`);
  const labels = await on.rows<{ label: string }>(
    sql`SELECT label FROM labels WHERE project_id = ${projectId}`,
  );
  return {
    id: projectId,
    name: project?.name ?? '',
    labelNames: metaNames(labels.map(({ label }) => labelPair(label).name)),
    variableNames: metaNames(shown),
  };
}

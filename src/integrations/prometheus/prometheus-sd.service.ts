import { Injectable, Logger } from '@nestjs/common';
import type { RequestContext } from '../../core/context/request-context';
import type { BodySink } from '../../http/streamed-response';
import type { Queryable } from '../../database/database';
import { sql } from '../../database/sql';
import { type HostQueryCaller, HostQueryService, type HostWithLevels } from '../host-query.service';
import { metaLabelNames, renderTarget, type ScrapedHost, type ScrapedProject, splitLabel } from './target';
import type { ScrapeQuery } from './scrape-query';
import { SkippedHosts, SkippedHostsLog } from './skipped-hosts';

const COLUMNS = sql`t.id, t.uuid, t.name, t.device_type, host(t.ip_address) AS ip_address,
  (SELECT r.name FROM regions r WHERE r.project_id = t.project_id AND r.id = t.region_id) AS region,
  (SELECT c.name FROM cells c WHERE c.project_id = t.project_id AND c.id = t.cell_id) AS cell,
  ARRAY(SELECT l.label FROM device_labels a JOIN labels l ON l.project_id = a.project_id AND l.id = a.label_id
    WHERE a.project_id = t.project_id AND a.device_id = t.id ORDER BY l.label) AS labels`;

/** Writes targets in the format of the HTTP service discovery of Prometheus. */
@Injectable()
export class PrometheusSdService {
  private readonly skippedLog = new SkippedHostsLog(new Logger('Integrations'));

  constructor(private readonly hostQueries: HostQueryService) {}

  /**
   * Writes the selected hosts of the project as targets.
   * @throws InventoryError 400, 404 if a filter references a resource that the caller may not see, 503 if the queue is
   * full
   */
  async write(
    caller: HostQueryCaller,
    query: ScrapeQuery,
    sink: BodySink,
    signal: AbortSignal,
  ): Promise<void> {
    const skipped = new SkippedHosts();
    await this.hostQueries.run(caller, signal, { selection: query.selection }, async (hosts) => {
      const project = await readProject(hosts.ctx, query, hosts.on);
      await sink.write('[');
      let separator = '';
      for await (const host of hosts.readHosts<ScrapedHost>(COLUMNS)) {
        const target = renderTarget(host.row, project, query, valueReader(host));
        if (target === 'not scraped') continue;
        if ('invalidKey' in target) {
          skipped.add(host.row.name, target.invalidKey);
          continue;
        }
        await sink.write(`${separator}${target.entry}`);
        separator = ',';
      }
      await sink.write(']');
    });
    this.skippedLog.logIfChanged(caller.ctx.projectId, query, skipped);
  }
}

/** Resolves single keys of a host. Few keys are read, so its document is not merged. */
function valueReader({ row, levels }: HostWithLevels<ScrapedHost>): (key: string) => string | undefined {
  const own = levels.ownMembers(row);
  const inherited = levels.inheritedMembers(row);
  return (key) => own.get(JSON.stringify(key)) ?? inherited.get(JSON.stringify(key));
}

/** Includes all labels of the project, so that the name of a label does not depend on the selected hosts. */
async function readProject(
  { projectId }: RequestContext,
  { labelVariables }: ScrapeQuery,
  on: Queryable,
): Promise<ScrapedProject> {
  const [project] = await on.rows<{ name: string }>(sql`SELECT name FROM projects WHERE id = ${projectId}`);
  const labels = await on.rows<{ label: string }>(
    sql`SELECT label FROM labels WHERE project_id = ${projectId}`,
  );
  return {
    id: projectId,
    name: project?.name ?? '',
    labelNames: metaLabelNames(labels.map(({ label }) => splitLabel(label).name)),
    variableNames: metaLabelNames(labelVariables),
  };
}

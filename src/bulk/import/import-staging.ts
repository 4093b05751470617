import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors/inventory-error';
import type { BodyLine } from './body-lines';
import { BodyRefused } from './import-rejected';
import { checkedLine, deviceIdentity, type CheckedLine } from './line-check';
import { lineGroups } from './line-kinds';
import { Outcomes } from './import-report';
import { SeenNames } from './name-index';
import type { Spool } from './line-file';
import { WaitingDevices } from './waiting-devices';
import type { Workspace } from './temp-dir';

/** The lines that can be written, in the order in which they are: what is referred to comes first. */
export interface Lines {
  readonly clouds: Spool;
  readonly labels: Spool;
  readonly regions: Spool;
  readonly cells: Spool;
  /** Devices that hang below none that stands later. */
  readonly devices: Spool;
  /** The others. */
  readonly waiting: WaitingDevices;
  /** The names of all devices. */
  readonly deviceNames: Spool;
}

/**
 * Takes in what is imported, line by line, and keeps it outside of memory. Nothing is asked of the database: a client may
 * take its time to send.
 */
export class Intake {
  /** In which line each thing is named. */
  readonly seen = new SeenNames();
  /** Regions with cells that devices are said to be in, each as both names. */
  readonly places = new Set<string>();

  private constructor(
    private readonly ctx: RequestContext,
    readonly lines: Lines,
    readonly outcomes: Outcomes,
  ) {}

  static async create(ctx: RequestContext, workspace: Workspace): Promise<Intake> {
    const lines = {
      clouds: await workspace.spool('clouds'),
      labels: await workspace.spool('labels'),
      regions: await workspace.spool('regions'),
      cells: await workspace.spool('cells'),
      devices: await workspace.spool('devices'),
      waiting: new WaitingDevices(await workspace.spool('waiting')),
      deviceNames: await workspace.spool('names'),
    };
    return new Intake(ctx, lines, new Outcomes(await workspace.spool('faults')));
  }

  /** Takes all lines. @throws BodyRefused if they cannot be read to their end */
  async take(body: AsyncIterable<readonly BodyLine[]>): Promise<void> {
    try {
      for await (const lines of body) for (const line of lines) await this.takeLine(line);
    } catch (error) {
      throw error instanceof InventoryError ? new BodyRefused(error, this.outcomes.summary) : error;
    }
    const { waiting, ...spools } = this.lines;
    for (const spool of [...Object.values(spools), waiting.spool]) await spool.flush();
  }

  private async takeLine({ line, read }: BodyLine): Promise<void> {
    try {
      if (typeof read !== 'string') throw read;
      await this.keep(line, read);
    } catch (error) {
      if (!(error instanceof InventoryError)) throw error;
      await this.outcomes.refuse(line, error);
    }
  }

  /** @throws InventoryError 400, 403, 409 */
  private async keep(line: number, text: string): Promise<void> {
    const checked = checkedLine(this.ctx, text);
    const earlier = this.seen.add(checked.identity, line);
    if (earlier !== undefined)
      throw new InventoryError(
        'conflict',
        `Line ${String(earlier)} is of the same ${checked.kind.shape.kind}.`,
      );
    const { group } = checked.kind;
    if (group === lineGroups.clouds) await this.lines.clouds.add(line, text);
    else if (group === lineGroups.labels) await this.lines.labels.add(line, text);
    else if (group === lineGroups.regions) await this.lines.regions.add(line, text);
    else if (group === lineGroups.cells) await this.lines.cells.add(line, text);
    else await this.keepDevice(line, text, checked.body);
  }

  private async keepDevice(line: number, text: string, body: CheckedLine['body']): Promise<void> {
    const { name, region, cell, parent } = body;
    await this.lines.deviceNames.add(line, String(name));
    if (typeof region === 'string' && typeof cell === 'string')
      this.places.add(JSON.stringify([region, cell]));
    if (typeof parent === 'string') {
      const above = this.seen.lineOf(deviceIdentity(parent));
      if (above === undefined || above === line || this.lines.waiting.has(above)) {
        await this.lines.waiting.add(line, text);
        return;
      }
    }
    await this.lines.devices.add(line, text);
  }
}

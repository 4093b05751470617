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

/** The files of valid lines, in the order of the write: a resource follows those that it references. */
export interface Lines {
  readonly clouds: Spool;
  readonly labels: Spool;
  readonly regions: Spool;
  readonly cells: Spool;
  /** Devices without a parent, or whose parent precedes them in this file. */
  readonly devices: Spool;
  /** The other devices. */
  readonly waiting: WaitingDevices;
  /** The names of all devices in the body. */
  readonly deviceNames: Spool;
}

/**
 * Validates the lines of an import and stores them in files. It uses neither much memory nor a database connection,
 * because a client can be slow to send the body.
 */
export class Intake {
  /** The line in which each resource is named. */
  readonly seen = new SeenNames();
  /** The cells that devices are placed in, as JSON arrays of the names of region and cell. */
  readonly places = new Set<string>();

  private constructor(
    private readonly ctx: RequestContext,
    readonly lines: Lines,
    readonly outcomes: Outcomes,
  ) {}

  static async create(ctx: RequestContext, tempDir: Workspace): Promise<Intake> {
    const lines: Lines = {
      clouds: await tempDir.spool('clouds'),
      labels: await tempDir.spool('labels'),
      regions: await tempDir.spool('regions'),
      cells: await tempDir.spool('cells'),
      devices: await tempDir.spool('devices'),
      waiting: new WaitingDevices(await tempDir.spool('waiting')),
      deviceNames: await tempDir.spool('names'),
    };
    return new Intake(ctx, lines, new Outcomes(await tempDir.spool('faults')));
  }

  /** Stages all lines. @throws BodyRejectedError if the body cannot be read to its end */
  async take(body: AsyncIterable<readonly BodyLine[]>): Promise<void> {
    try {
      for await (const lines of body) for (const line of lines) await this.stageLine(line);
    } catch (error) {
      throw error instanceof InventoryError ? new BodyRefused(error, this.outcomes.summary) : error;
    }
    const { waiting: deferredDevices, ...files } = this.lines;
    for (const file of [...Object.values(files), deferredDevices.spool]) await file.flush();
  }

  private async stageLine({ line, read: content }: BodyLine): Promise<void> {
    try {
      if (typeof content !== 'string') throw content;
      await this.store(line, content);
    } catch (error) {
      if (!(error instanceof InventoryError)) throw error;
      await this.outcomes.refuse(line, error);
    }
  }

  /** @throws InventoryError 400, 403, 409 */
  private async store(line: number, text: string): Promise<void> {
    const checked = checkedLine(this.ctx, text);
    const earlierLine = this.seen.add(checked.identity, line);
    if (earlierLine !== undefined)
      throw new InventoryError(
        'conflict',
        `Line ${String(earlierLine)} names the same ${checked.kind.shape.kind}.`,
      );
    const { group } = checked.kind;
    if (group === lineGroups.clouds) await this.lines.clouds.add(line, text);
    else if (group === lineGroups.labels) await this.lines.labels.add(line, text);
    else if (group === lineGroups.regions) await this.lines.regions.add(line, text);
    else if (group === lineGroups.cells) await this.lines.cells.add(line, text);
    else await this.storeDevice(line, text, checked.body);
  }

  private async storeDevice(line: number, text: string, body: CheckedLine['body']): Promise<void> {
    const { name, region, cell, parent } = body;
    await this.lines.deviceNames.add(line, String(name));
    if (typeof region === 'string' && typeof cell === 'string')
      this.places.add(JSON.stringify([region, cell]));
    if (typeof parent === 'string') {
      const parentLine = this.seen.lineOf(deviceIdentity(parent));
      if (parentLine === undefined || parentLine === line || this.lines.waiting.has(parentLine)) {
        await this.lines.waiting.add(line, text);
        return;
      }
    }
    await this.lines.devices.add(line, text);
  }
}

import { Injectable } from '@nestjs/common';
import type { ChangeSet } from '../changes/change-set';
import type { Operation } from '../changes/operation';
import type { LockedResource } from '../changes/resource-snapshot';
import { LabelAssignments } from '../labels/label-assignments';
import { type RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import type { Precondition } from '../http/preconditions';
import { Database, type Queryable } from '../database/database';
import { sql } from '../database/sql';
import { inScope } from '../database/resource-sql';
import { scopeOfResource } from '../database/resource-scope';
import { deviceLabels, type Device } from './device.entity';
import type { DeviceKind } from './device-kind';

/** A device's labels, ordered by name, and the device's version. */
export interface DeviceLabels {
  readonly labels: readonly string[];
  readonly version: number;
}

/** Reads and writes the labels of devices, separately from their other members. */
@Injectable()
export class DeviceLabelsService {
  constructor(
    private readonly assignments: LabelAssignments,
    private readonly database: Database,
  ) {}

  async get(ctx: RequestContext, kind: DeviceKind, id: number): Promise<DeviceLabels> {
    return this.read(ctx, kind, id, this.database.reader(ctx));
  }

  /** Adds labels to a device. */
  prepareAdd(
    ctx: RequestContext,
    kind: DeviceKind,
    id: number,
    names: readonly string[],
    precondition: Precondition,
  ): Operation<DeviceLabels> {
    return edit(kind, id, precondition, async (change, device) => {
      await this.assignments.add(change, deviceLabels, device, names);
      return this.read(ctx, kind, id, change.tx);
    });
  }

  /** Removes labels from a device. Labels that it does not have are ignored. */
  prepareRemove(
    _ctx: RequestContext,
    kind: DeviceKind,
    id: number,
    names: readonly string[],
    precondition: Precondition,
  ): Operation<void> {
    return edit(kind, id, precondition, (change, device) =>
      this.assignments.remove(change, deviceLabels, device, names),
    );
  }

  private async read(
    ctx: RequestContext,
    { mapping }: DeviceKind,
    id: number,
    on: Queryable,
  ): Promise<DeviceLabels> {
    const [row] = await on.rows<{ labels: string[]; version: number }>(sql`
      SELECT t.version, ARRAY(SELECT l.label FROM device_labels a
        JOIN labels l ON l.project_id = a.project_id AND l.id = a.label_id
        WHERE a.project_id = t.project_id AND a.device_id = t.id ORDER BY l.label) AS labels
      FROM devices t WHERE ${inScope(mapping, await scopeOfResource(ctx, mapping, id, on))} AND t.id = ${id}`);
    if (!row) throw InventoryError.notFound(mapping.kind, id);
    return row;
  }
}

/** An operation that edits the labels of a device. */
const edit = <T>(
  { mapping, entity }: DeviceKind,
  id: number,
  precondition: Precondition,
  editLabels: (change: ChangeSet, device: LockedResource) => Promise<T>,
): Operation<T> => ({
  run: async (change) => {
    const device = await change.lock(mapping, id, precondition);
    await change.update<Device>(device, entity, {});
    return editLabels(change, device);
  },
});

import { Injectable } from '@nestjs/common';
import { accessSecretMapping } from '../access-secrets/access-secret.entity';
import { cellMapping } from '../cells/cell.entity';
import type { ChangeSet, WrittenResource } from '../changes/change-set';
import { deletion, type Operation } from '../changes/operation';
import { lockReferences, type Reference } from '../changes/references';
import type { LockedResource } from '../changes/resource-snapshot';
import { LabelAssignments } from '../labels/label-assignments';
import { regionMapping } from '../regions/region.entity';
import type { RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import type { Precondition } from '../http/preconditions';
import { and, sql, type Sql } from '../database/sql';
import { from, inScope } from '../database/resource-sql';
import { projectOfResource, scopeOfResource } from '../database/resource-scope';
import { assertCanWriteBody, assertCanWriteVariablesOf } from '../resources/body-members';
import { defaultsFor } from '../resources/members';
import type { RenderedResource } from '../resources/resource-reader';
import { WriteResponses, type WrittenRow } from '../resources/write-responses';
import { deviceLabels, type Device } from './device.entity';
import type { CreateDevice, UpdateDevice } from './device.dto';
import { anyDeviceMapping, type DeviceKind } from './device-kind';
import { lockProject } from '../changes/project-lock';
import {
  addressOf,
  duplicateAddressColumn,
  duplicateAddressWarning,
  type DuplicateAddress,
} from './duplicate-addresses';

/** The region and the cell of a device. */
interface DeviceLocation {
  readonly region_id: number;
  readonly cell_id: number | null;
}

/** A written device, with the other devices that have its address if it was set. */
interface WrittenDevice extends WrittenRow {
  readonly duplicate_address?: DuplicateAddress | null;
}

/** Writes devices of all kinds. */
@Injectable()
export class DevicesService {
  constructor(
    private readonly labels: LabelAssignments,
    private readonly written: WriteResponses,
  ) {}

  /**
   * @throws InventoryError 403 for a private variable, 405 if the region, cell, parent or secret does not exist, 409 if
   *   the name is taken
   */
  prepareCreate(ctx: RequestContext, kind: DeviceKind, body: CreateDevice): Operation<RenderedResource> {
    assertCanWriteVariablesOf(ctx, kind.mapping.collection, body);
    const { labels, ...members } = body;
    const { projectId } = ctx;
    const run = async (change: ChangeSet) => {
      const location = { region_id: body.region_id, cell_id: body.cell_id ?? null };
      const references = [...referencesOfLocation(location), ...otherReferences(body)];
      const values = { ...members, ...defaultsFor(kind.entity, members), project_id: projectId };
      const columns = this.columns(ctx, kind, true);
      if (!labels || labels.length === 0)
        return this.render(
          change,
          kind,
          await change.insertAndRead(kind.mapping, kind.entity, values, columns, references),
        );
      await lockReferences(change.tx, projectId, references);
      const id = await change.insert<Device>(kind.mapping, kind.entity, values);
      await this.labels.add(change, deviceLabels, { projectId, id }, labels);
      return this.render(change, kind, await change.writer.readBack(kind.mapping, projectId, id, columns));
    };
    return { note: body.note, run };
  }

  /** @throws InventoryError 403, 404, 405 also if the parent is a descendant of the device, 409, 412 */
  prepareUpdate(
    ctx: RequestContext,
    kind: DeviceKind,
    id: number,
    body: UpdateDevice,
    precondition: Precondition,
  ): Operation<RenderedResource> {
    assertCanWriteBody(ctx, kind.mapping.collection, body);
    const { labels, variables, ...members } = body;
    const edit = variables && { merge: variables };
    const columns = this.columns(ctx, kind, body.ip_address !== undefined);
    const run = async (change: ChangeSet) => {
      if (!labels && !refersToOthers(body)) {
        const { before, after } = await change.lockAndUpdate<Device, WrittenDevice>(
          kind.mapping,
          id,
          precondition,
          kind.entity,
          members,
          edit,
          columns,
        );
        return this.render(change, kind, after, before);
      }
      if (typeof body.parent_id === 'number') await lockProjectOfDevice(change, id);
      if (typeof body.cell_id === 'number') await lockCell(change, body.cell_id);
      const device = await change.lock(kind.mapping, id, precondition);
      const { projectId } = device;
      await this.lockNewLocation(change, projectId, id, body);
      await lockReferences(change.tx, projectId, otherReferences(body));
      if (typeof body.parent_id === 'number')
        await this.assertNoParentCycle(change, projectId, id, body.parent_id);
      if (!labels)
        return this.render(
          change,
          kind,
          await change.updateAndRead(device, kind.entity, members, edit, columns),
          device,
        );
      await change.update<Device>(device, kind.entity, members, edit);
      await this.labels.replace(change, deviceLabels, device, labels);
      return this.render(
        change,
        kind,
        await change.writer.readBack(kind.mapping, projectId, id, columns),
        device,
      );
    };
    return { note: body.note, run };
  }

  /** The deletion throws 404, 409 if it has child devices, or 412. */
  prepareDelete({ mapping }: DeviceKind, id: number, precondition: Precondition): Operation<void> {
    return deletion(mapping, id, precondition);
  }

  /** The columns that the response needs. @param setsAddress whether to find other devices with its address */
  private columns(ctx: RequestContext, { definition }: DeviceKind, setsAddress: boolean): Sql {
    const columns = this.written.columns(ctx, definition);
    return setsAddress ? sql`${columns}, ${duplicateAddressColumn}` : columns;
  }

  /** @param before the device before an update */
  private async render(
    change: ChangeSet,
    kind: DeviceKind,
    written: WrittenResource<WrittenDevice>,
    before?: LockedResource,
  ): Promise<RenderedResource> {
    const rendered = await this.written.render(change, kind.definition, written);
    const { duplicate_address: duplicate } = written.row;
    if (!duplicate || addressOf(before) === duplicate.address) return rendered;
    const warning = duplicateAddressWarning(duplicate);
    change.warnings.push(warning);
    return { ...rendered, warnings: [warning] };
  }

  /** An update can change the region, the cell or both. The resulting cell must be in the resulting region. */
  private async lockNewLocation(
    change: ChangeSet,
    projectId: string,
    id: number,
    body: UpdateDevice,
  ): Promise<void> {
    if (body.region_id === undefined && body.cell_id === undefined) return;
    const [current] = await change.tx.rows<DeviceLocation & Record<string, unknown>>(
      sql`SELECT t.region_id, t.cell_id FROM devices t WHERE t.project_id = ${projectId} AND t.id = ${id}`,
    );
    if (!current) throw InventoryError.notFound('device', id);
    const location = {
      region_id: body.region_id ?? current.region_id,
      cell_id: body.cell_id === undefined ? current.cell_id : body.cell_id,
    };
    await lockReferences(change.tx, projectId, referencesOfLocation(location));
  }

  private async assertNoParentCycle(
    change: ChangeSet,
    projectId: string,
    id: number,
    parentId: number,
  ): Promise<void> {
    const [cycle] = await change.tx.rows(sql`
      WITH RECURSIVE above (id, parent_id) AS (
        SELECT d.id, d.parent_id FROM devices d WHERE d.project_id = ${projectId} AND d.id = ${parentId}
        UNION
        SELECT d.id, d.parent_id FROM above JOIN devices d
          ON d.project_id = ${projectId} AND d.id = above.parent_id
      ) SELECT FROM above WHERE id = ${id}`);
    if (!cycle) return;
    throw InventoryError.validationException(
      'parent_id',
      'inconsistent',
      parentId === id
        ? 'a device cannot be its own parent'
        : `the device ${String(parentId)} is a descendant of this device`,
    );
  }
}

function referencesOfLocation({ region_id, cell_id }: DeviceLocation): Reference[] {
  const region = { field: 'region_id', mapping: regionMapping, id: region_id };
  if (cell_id === null) return [region];
  const requires = {
    condition: sql`t.region_id = ${region_id}`,
    message: `the cell ${String(cell_id)} is not in the region ${String(region_id)}`,
  };
  return [region, { field: 'cell_id', mapping: cellMapping, id: cell_id, requires }];
}

/** Whether an update sets a member that refers to another resource. */
const refersToOthers = (body: UpdateDevice): boolean =>
  [body.region_id, body.cell_id, body.parent_id, body.access_secret_id].some((id) => id !== undefined);

/** What a body refers to, except for the location. */
function otherReferences({ parent_id, access_secret_id }: CreateDevice | UpdateDevice): Reference[] {
  const references: Reference[] = [];
  if (typeof parent_id === 'number')
    references.push({ field: 'parent_id', mapping: anyDeviceMapping, id: parent_id });
  if (typeof access_secret_id === 'number')
    references.push({ field: 'access_secret_id', mapping: accessSecretMapping, id: access_secret_id });
  return references;
}

/** Serializes changes of parents in the project of a device. */
async function lockProjectOfDevice(change: ChangeSet, deviceId: number): Promise<void> {
  const project = await projectOfResource(change.ctx, anyDeviceMapping, deviceId, change.tx);
  if (project !== undefined) await lockProject(change.tx, project);
}

/**
 * Locks the new cell of a device before the device. A move of a cell takes its locks in the same order, so the two
 * cannot deadlock. `lockLocation` checks later whether the cell exists.
 */
async function lockCell(change: ChangeSet, cellId: number): Promise<void> {
  const condition = and([
    inScope(cellMapping, await scopeOfResource(change.ctx, cellMapping, cellId, change.tx)),
    sql`t.id = ${cellId}`,
  ]);
  await change.tx.rows(sql`SELECT ${from(cellMapping)} WHERE ${condition} FOR KEY SHARE OF t`);
}

import { Injectable } from '@nestjs/common';
import type { ChangeSet } from '../changes/change-set';
import { InventoryError } from '../core/errors';
import { arrayParameter, raw, sql } from '../database/sql';
import type { LabelTable } from '../database/resource-mapping';
import { stateOfCreated } from '../changes/resource-snapshot';
import { labelMapping } from './label.entity';

/** A resource with labels. */
interface Labelled {
  readonly projectId: string;
  readonly id: number;
}

/** Assigns labels to regions, cells and devices. Labels that do not exist are created. */
@Injectable()
export class LabelAssignments {
  /** Replaces all labels of the resource. */
  async replace(
    change: ChangeSet,
    at: LabelTable,
    resource: Labelled,
    names: readonly string[],
  ): Promise<void> {
    const ids = await this.findOrCreateIds(change, resource.projectId, names);
    await change.tx.execute(sql`DELETE FROM ${raw(at.table)} a WHERE ${ofResource(at, resource)}
      AND a.label_id <> ALL(${arrayParameter(ids)}::bigint[])`);
    await this.insertAssignments(change, at, resource, ids);
  }

  /** Adds labels to the resource. */
  async add(change: ChangeSet, at: LabelTable, resource: Labelled, names: readonly string[]): Promise<void> {
    const ids = await this.findOrCreateIds(change, resource.projectId, names);
    await this.insertAssignments(change, at, resource, ids);
  }

  /** Removes labels from the resource, without deleting them. Labels that the resource does not have are ignored. */
  async remove(
    change: ChangeSet,
    at: LabelTable,
    resource: Labelled,
    names: readonly string[],
  ): Promise<void> {
    await change.tx
      .execute(sql`DELETE FROM ${raw(at.table)} a USING labels l WHERE ${ofResource(at, resource)}
      AND l.project_id = a.project_id AND l.id = a.label_id AND l.label = ANY(${arrayParameter(names)}::text[])`);
  }

  private async insertAssignments(
    change: ChangeSet,
    at: LabelTable,
    { projectId, id }: Labelled,
    ids: readonly number[],
  ) {
    if (ids.length === 0) return;
    await change.tx.execute(sql`INSERT INTO ${raw(at.table)} (project_id, ${raw(at.owner)}, label_id)
      SELECT ${projectId}::uuid, ${id}::bigint, label_id FROM unnest(${arrayParameter(ids)}::bigint[]) AS given (label_id)
      ON CONFLICT DO NOTHING`);
  }

  private async findOrCreateIds(
    change: ChangeSet,
    projectId: string,
    names: readonly string[],
  ): Promise<number[]> {
    return [...(await this.findOrCreate(change, projectId, names)).values()];
  }

  /** Returns the ids of labels by name. Creates missing labels, and locks all of them against concurrent deletion. */
  async findOrCreate(
    change: ChangeSet,
    projectId: string,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const wanted = [...new Set(names)].sort();
    if (wanted.length === 0) return new Map();
    for (let attempt = 1; attempt <= 3; attempt++) {
      const known = await change.tx.rows<{ id: number; label: string }>(sql`SELECT t.id, t.label FROM labels t
        WHERE t.project_id = ${projectId} AND t.label = ANY(${arrayParameter(wanted)}::text[]) ORDER BY t.label FOR KEY SHARE`);
      if (known.length === wanted.length) return new Map(known.map(({ label, id }) => [label, id]));
      const names = new Set(known.map((label) => label.label));
      await this.createLabels(
        change,
        projectId,
        wanted.filter((name) => !names.has(name)),
      );
    }
    throw new InventoryError('unavailable', 'Concurrent changes delete these labels. Retry later.', [], {
      'retry-after': '1',
    });
  }

  /** Creates labels in the order of their names, so that concurrent transactions cannot deadlock. */
  private async createLabels(change: ChangeSet, projectId: string, names: readonly string[]): Promise<void> {
    const created = await change.tx.rows<{
      id: number;
      name: string;
    }>(sql`INSERT INTO labels (project_id, label)
      SELECT ${projectId}::uuid, name FROM unnest(${arrayParameter(names)}::text[]) AS given (name) ORDER BY name COLLATE "C"
      ON CONFLICT (project_id, label) DO NOTHING RETURNING id, label AS name`);
    for (const { id, name } of created)
      change.createdWithState(labelMapping, stateOfCreated({ projectId, id, name, variables: '{}' }));
  }
}

const ofResource = (at: LabelTable, { projectId, id }: Labelled) =>
  sql`a.project_id = ${projectId} AND a.${raw(at.owner)} = ${id}`;

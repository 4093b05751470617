import type { RequestListener } from 'node:http';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { attempt } from '../changes/attempt';
import type { RejectedOperation, SequencedOperation } from '../changes/operation-sequence';
import { PreparedWrite } from '../writes/prepared-write';
import type { RequestContext } from '../core/context/request-context';
import { InventoryError, type ItemError, OperationsError } from '../core/errors';
import { Database } from '../database/database';
import type { ResourceMapping } from '../database/resource-mapping';
import { reserveIds, TABLES_WITH_SEQUENCE } from '../database/reserve-ids';
import type { SubrequestPurpose } from '../http/request-state';
import { sendSubrequest } from '../http/subrequest';
import type { BatchOperation } from './batch-request';
import { isUsableAs, referencesIn, replaceReferences } from './references';

/** A prepared operation of a batch. */
export interface PreparedOperation {
  /** The name of the operation. */
  readonly id: string | undefined;
  readonly write: PreparedWrite;
  /** The id of the resource that it creates, if other operations refer to it. */
  readonly newId: number | undefined;
  /** The positions of the operations that write what it refers to. */
  readonly dependsOn: readonly number[];
  /** Whether it can only create resources. */
  readonly onlyCreates: boolean;
}

export const isPrepared = (
  operation: PreparedOperation | RejectedOperation,
): operation is PreparedOperation => 'write' in operation;

/** How a prepared operation runs in a sequence. */
export const toSequencedOperation = ({ write, ...rest }: PreparedOperation): SequencedOperation => ({
  operation: write.operation,
  mode: write.mode,
  newId: rest.newId,
  dependsOn: rest.dependsOn,
  onlyCreates: rest.onlyCreates,
});

/** A resource that an operation is going to create. */
interface NewResource {
  readonly id: number;
  readonly mapping: ResourceMapping;
}

/** The paths of an import, and of a whole collection: a `POST` to any other path can write what exists already, as a revert does. */
const IMPORT = /^\/v1\/import(?:\?|$)/;
const COLLECTION = /^\/v1\/[\w-]+(?:\?|$)/;

/** Prepares the operations of a batch. Each passes the guards, pipes and handler of its route, as if it was sent alone. */
@Injectable()
export class BatchService {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly database: Database,
  ) {}

  /**
   * Prepares operations in order, before any transaction: a transaction that waits for a second connection could deadlock on
   * the pool. An operation that others refer to gets the id of its resource here.
   * @param purpose what they are prepared for
   * @param reserved ids that earlier preparations of the same operations have reserved, by the names of the operations
   * @throws OperationsError of all operations that fail
   */
  async prepare(
    ctx: RequestContext,
    operations: readonly BatchOperation[],
    purpose: SubrequestPurpose = 'batch',
    reserved: ReadonlyMap<string, number> = new Map(),
  ): Promise<PreparedOperation[]> {
    const all = await this.prepareForDryRun(ctx, operations, purpose, reserved);
    const prepared = all.filter(isPrepared);
    if (prepared.length === all.length) return prepared;
    const faults = all.flatMap((operation, index): ItemError[] =>
      isPrepared(operation) || !operation.rejection ? [] : [{ index, error: operation.rejection }],
    );
    const [first, ...others] = faults;
    if (!first) throw new Error('operations were rejected without an error');
    throw new OperationsError([first, ...others]);
  }

  /** Prepares operations like `prepare`, for a dry run. Those that fail are returned with their error. */
  async prepareForDryRun(
    ctx: RequestContext,
    operations: readonly BatchOperation[],
    purpose: SubrequestPurpose = 'batch',
    reserved: ReadonlyMap<string, number> = new Map(),
  ): Promise<(PreparedOperation | RejectedOperation)[]> {
    const referenced = new Set(operations.flatMap(referencesIn).map(({ name }) => name));
    const created = new Map<string, NewResource>();
    const positions = new Map<string, number>();
    const prepared: (PreparedOperation | RejectedOperation)[] = [];
    for (const [index, operation] of operations.entries()) {
      const { id, method, path } = operation;
      const names = [...new Set(referencesIn(operation).map(({ name }) => name))];
      const head = {
        id,
        // The lines of an import can name what any operation before it writes.
        dependsOn: IMPORT.test(path)
          ? [...prepared.keys()]
          : names.flatMap((name) => positions.get(name) ?? []),
        onlyCreates: method === 'POST' && COLLECTION.test(path) && !IMPORT.test(path),
      };
      if (id !== undefined) positions.set(id, index);
      // What it refers to was not prepared. Nothing can be said about it before.
      if (!names.every((name) => created.has(name))) {
        prepared.push({ ...head, rejection: undefined });
        continue;
      }
      const tried = await attempt(async () => {
        const write = await this.prepareOne(ctx, operation, created, purpose);
        if (
          write.operation.release &&
          prepared.some((other) => isPrepared(other) && other.write.operation.release)
        )
          throw InventoryError.invalid(
            'path',
            'limit_exceeded',
            'there can be one import: send all lines in it',
          );
        const isReferenced = id !== undefined && referenced.has(id);
        const resource = isReferenced ? await this.newResource(write.creates, reserved.get(id)) : undefined;
        if (id !== undefined && resource) created.set(id, resource);
        return { write, newId: resource?.id };
      });
      prepared.push({ ...head, ...('error' in tried ? { rejection: tried.error } : tried.result) });
    }
    return prepared;
  }

  private async prepareOne(
    ctx: RequestContext,
    operation: BatchOperation,
    created: ReadonlyMap<string, NewResource>,
    purpose: SubrequestPurpose,
  ): Promise<PreparedWrite> {
    const resourceOf = (name: string) => created.get(name) ?? missing(name);
    for (const reference of referencesIn(operation)) {
      const { field, name, usedAs = '' } = reference;
      const { mapping } = resourceOf(name);
      if (!isUsableAs(mapping, reference))
        throw InventoryError.invalid(
          field === 'path' ? field : usedAs,
          'inconsistent',
          `cannot have ${name}.id for ${usedAs}: it is the id of a ${mapping.kind}`,
        );
    }
    const { path, body } = replaceReferences(operation, (name) => resourceOf(name).id);
    const { method, headers } = operation;
    // A repeated request gets to the stored response, even if what a path leads to was deleted meanwhile: see `PathUuids`.
    const key = ctx.idempotency ? { 'idempotency-key': ctx.idempotency.key } : {};
    const listener = this.host.httpAdapter.getInstance<RequestListener>();
    const message = { method, url: path, headers: { ...headers, ...key }, body };
    const write = await sendSubrequest(listener, ctx, message, purpose);
    if (write instanceof PreparedWrite) return ctx.skipsRoleChecks === true ? write.forPreview() : write;
    throw new Error(`${method} ${path} did not prepare a write`);
  }

  /** @throws InventoryError 400 if an operation creates nothing whose id is known in advance */
  private async newResource(
    mapping: ResourceMapping | undefined,
    reserved: number | undefined,
  ): Promise<NewResource> {
    if (!mapping || !TABLES_WITH_SEQUENCE.includes(mapping.table))
      throw InventoryError.invalid(
        'id',
        'inconsistent',
        'is referred to, but this operation does not create one cloud, label, region, cell or device',
      );
    const [id] = reserved === undefined ? await reserveIds(this.database, mapping.table, 1) : [reserved];
    if (id === undefined) throw new Error('a sequence returned no id');
    return { id, mapping };
  }
}

function missing(name: string): never {
  throw new Error(`the operation ${name} has no id`);
}

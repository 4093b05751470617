import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../database/database';
import { sql } from '../database/sql';
import { ttlCache } from '../core/ttl-cache';

/** The rules of a project for the reasons of its changes. */
export interface ReasonPolicy {
  readonly required: boolean;
  /** A regular expression (RE2) that matches a part of the reason; null allows any reason. */
  readonly pattern: string | null;
}

/** A rule for which writes need approvals. A write that fulfils all of its conditions meets it. */
export interface ApprovalRule {
  /** Keys, or prefixes of keys followed by `*`, of which the write alters one. */
  readonly keys?: readonly string[];
  /** The collections of which the write touches one. */
  readonly collections?: readonly string[];
  /** The minimum number of devices for which the write alters a resolved value. */
  readonly min_devices?: number;
  /** How many approvals are required. */
  readonly approvals: number;
  /** The role that the approvers need; absent: any. */
  readonly approvers?: string;
}

/** The settings of a project that apply to every request. */
export interface ProjectPolicy {
  readonly reason: ReasonPolicy | undefined;
  /** The private keys, or prefixes of keys followed by `*`. Only callers with a role for them see their variables. */
  readonly privateKeys: readonly string[];
  /** Whether a device cannot get the address of another one. */
  readonly uniqueAddresses: boolean;
  /** Whether users without roles see no other users and no change records, and create no API keys. */
  readonly restrictsReaders: boolean;
  /** Which writes need approvals. Empty: none. */
  readonly approvals: readonly ApprovalRule[];
}

interface Row {
  [column: string]: unknown;
  change_reason: ReasonPolicy | null;
  private: string[] | null;
  unique_addresses: boolean | null;
  restricts_readers: boolean | null;
  approvals: ApprovalRule[] | null;
}

/** A cache of project policies. */
@Injectable()
export class ProjectPolicies {
  private readonly policies = ttlCache((projectId) => this.read(projectId));

  constructor(private readonly database: Database) {}

  /** @returns undefined if the project does not exist */
  async get(projectId: string): Promise<ProjectPolicy | undefined> {
    return this.policies.fetch(projectId);
  }

  /** Reads a policy in a transaction, without the cache: a transaction must not wait for a second connection. */
  async readUncached(on: Queryable, projectId: string): Promise<ProjectPolicy | undefined> {
    return this.read(projectId, on);
  }

  /** Called after changes of projects or their settings. */
  invalidate(): void {
    this.policies.clear();
  }

  private async read(projectId: string, on: Queryable = this.database): Promise<ProjectPolicy | undefined> {
    const [row] = await on.rows<Row>(sql`
      SELECT s.change_reason, s.private, s.unique_addresses, s.restricts_readers, s.approvals
      FROM projects p LEFT JOIN project_settings s ON s.project_id = p.id
      WHERE p.id = ${projectId}::uuid`);
    return (
      row && {
        reason: row.change_reason ?? undefined,
        privateKeys: row.private ?? [],
        uniqueAddresses: row.unique_addresses ?? false,
        restrictsReaders: row.restricts_readers ?? false,
        approvals: row.approvals ?? [],
      }
    );
  }
}

import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../database/database';
import { sql } from '../database/sql';
import { ttlCache } from './ttl-cache';

/** What a project demands of the reasons of its changes. */
export interface ReasonPolicy {
  readonly required: boolean;
  /** A regular expression (RE2) that a reason has to match somewhere; null: any reason will do. */
  readonly pattern: string | null;
}

/** What a project's settings rule. */
export interface ProjectPolicy {
  readonly reason: ReasonPolicy | undefined;
  /** The keys that are hidden from everybody without a role for them; in full, or a prefix followed by `*`. */
  readonly hidden: readonly string[];
}

interface Row {
  [column: string]: unknown;
  change_reason: ReasonPolicy | null;
  private: string[] | null;
}

/** The projects there are, and what their settings rule. */
@Injectable()
export class ProjectPolicies {
  private readonly policies = ttlCache((projectId) => this.read(projectId));

  constructor(private readonly database: Database) {}

  /** @returns undefined if there is no such project */
  async of(projectId: string): Promise<ProjectPolicy | undefined> {
    return this.policies.fetch(projectId);
  }

  /** As it is within a transaction, and not kept: who holds one connection must not wait for a second. */
  async within(on: Queryable, projectId: string): Promise<ProjectPolicy | undefined> {
    return this.read(projectId, on);
  }

  /** Called after whatever changes projects or their settings. */
  forget(): void {
    this.policies.clear();
  }

  private async read(projectId: string, on: Queryable = this.database): Promise<ProjectPolicy | undefined> {
    const [row] = await on.rows<Row>(sql`
      SELECT s.change_reason, s.private FROM projects p LEFT JOIN project_settings s ON s.project_id = p.id
      WHERE p.id = ${projectId}::uuid`);
    return row && { reason: row.change_reason ?? undefined, hidden: row.private ?? [] };
  }
}

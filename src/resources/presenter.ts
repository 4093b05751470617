import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../shared/context/request-context';
import { Database, type Queryable } from '../shared/persistence/database';
import { join, raw, sql, type Sql } from '../shared/persistence/sql';
import type { Listed } from '../shared/list/list-engine';
import type { Listing } from './listing';
import type { Subject } from '../variables/levels';
import { subjectColumns, VariableResolver } from '../variables/variable-resolver';

/** What is needed of a row beside its members, according to what is shown. */
interface PresentedRow extends Subject {
  [column: string]: unknown;
  readonly up: string | null;
}

/** How rows are to be shown. */
export interface Presentation {
  readonly listing: Pick<Listing, 'inheritance' | 'up'>;
  readonly members: readonly string[];
  readonly resolved: boolean;
}

/** Puts answers together: a row's members, its variables, resolved or its own, and its links, all as JSON text. */
@Injectable()
export class Presenter {
  constructor(
    private readonly resolver: VariableResolver,
    private readonly database: Database,
  ) {}

  /** The columns of `t` that `present` needs; what is not shown is not read. */
  columns({ listing, members }: Presentation): Sql {
    const columns: Sql[] = [];
    if (members.includes('variables')) columns.push(subjectColumns(listing.inheritance));
    if (members.includes('links') && listing.up !== undefined) columns.push(sql`${raw(listing.up)} AS up`);
    return columns.length === 0 ? sql`t.project_id` : join(columns);
  }

  /** @returns the rows' JSON texts, in order, each put together when it is taken */
  async present(
    ctx: RequestContext,
    rows: readonly Listed<PresentedRow>[],
    how: Presentation,
    on: Queryable = this.database,
  ): Promise<Iterable<string>> {
    const showsVariables = how.members.includes('variables');
    const showsLinks = how.members.includes('links');
    const documents = showsVariables ? await this.documents(ctx, rows, how.resolved, on) : undefined;
    return (function* () {
      const document = documents?.[Symbol.iterator]();
      for (const row of rows) {
        const more: string[] = [];
        if (document) more.push(`"variables":${String(document.next().value)}`);
        if (showsLinks) more.push(`"links":${linksOf(row.up, ctx.base)}`);
        yield extended(row.body, more);
      }
    })();
  }

  private async documents(
    ctx: RequestContext,
    rows: readonly Subject[],
    resolved: boolean,
    on: Queryable,
  ): Promise<Iterable<string>> {
    return resolved ? this.resolver.resolve(ctx, rows, on) : this.resolver.own(ctx, rows);
  }
}

const linksOf = (up: string | null, base: string): string =>
  up === null ? '[]' : JSON.stringify([{ rel: 'up', href: `${base}/v1/${up}` }]);

/** Adds members to a JSON object's text. */
function extended(body: string, members: readonly string[]): string {
  if (members.length === 0) return body;
  return body === '{}' ? `{${members.join(',')}}` : `${body.slice(0, -1)},${members.join(',')}}`;
}

import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useProjectId } from '../../app/use-project';
import {
  columnType,
  isUndecided,
  NO_CELLS,
  type ColumnSummary,
  type ColumnType,
} from '../../components/typed-text';
import { resolvesToTextQuery } from '../../components/resolves-to-text';
import { isVariableTarget, keyOf } from './column-targets';

/** The types of the columns of a table. */
export interface ColumnTypes {
  /** By column; undefined for those of members, and while it is not known. */
  readonly types: readonly (ColumnType | undefined)[];
  /** Waits for the types that are not known yet. @throws ApiError, NetworkError */
  readonly readAll: () => Promise<readonly ColumnType[]>;
}

/**
 * The types that the columns of a table take by themselves. Where the cells of a variable do not decide, those that devices have do.
 * @param targets what each column becomes
 */
export function useColumnTypes(summaries: readonly ColumnSummary[], targets: readonly string[]): ColumnTypes {
  const projectId = useProjectId();
  const client = useQueryClient();
  const columns = targets.map((target, i) => {
    const summary = summaries[i] ?? NO_CELLS;
    const isVariable = isVariableTarget(target);
    const needsValues = isVariable && isUndecided(summary);
    return {
      summary,
      isVariable,
      needsValues,
      query: resolvesToTextQuery(projectId, keyOf(target), needsValues),
    };
  });
  const found = useQueries({ queries: columns.map(({ query }) => query) });
  return {
    types: columns.map(({ summary, isVariable, needsValues }, i) =>
      !isVariable || (needsValues && found[i]?.data === undefined)
        ? undefined
        : columnType(summary, found[i]?.data ?? false),
    ),
    readAll: () =>
      Promise.all(
        columns.map(async ({ summary, needsValues, query }) =>
          columnType(summary, needsValues && (await client.query(query))),
        ),
      ),
  };
}

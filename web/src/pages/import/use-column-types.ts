import { columnType, type ColumnCells, type ColumnType } from '@muster/api-types';
import { queryOptions, useQueries, useQueryClient } from '@tanstack/react-query';
import { useProjectId } from '../../app/use-project';
import { hasTexts } from '../../components/has-texts';
import { parseVariablePath } from '../../components/variable-path';
import { isVariableTarget, keyOf } from './column-targets';

const hasTextsQuery = (projectId: string, target: string, isInDoubt: boolean) => {
  const path = parseVariablePath(keyOf(target));
  return queryOptions({
    queryKey: ['variable-keys', projectId, path?.key ?? '', 'has-texts'],
    queryFn: () => (path?.steps.length === 0 ? hasTexts(projectId, path) : false),
    enabled: isInDoubt,
    staleTime: 60_000,
    retry: false,
  });
};

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
export function useColumnTypes(cells: readonly ColumnCells[], targets: readonly string[]): ColumnTypes {
  const projectId = useProjectId();
  const client = useQueryClient();
  const columns = targets.map((target, i) => {
    const known = cells[i] ?? { text: undefined, isAmbiguous: false };
    const isVariable = isVariableTarget(target);
    const isInDoubt = isVariable && known.text === undefined && known.isAmbiguous;
    return { known, isVariable, isInDoubt, query: hasTextsQuery(projectId, target, isInDoubt) };
  });
  const found = useQueries({ queries: columns.map(({ query }) => query) });
  return {
    types: columns.map(({ known, isVariable, isInDoubt }, i) =>
      !isVariable || (isInDoubt && found[i]?.data === undefined)
        ? undefined
        : columnType(known, found[i]?.data ?? false),
    ),
    readAll: () =>
      Promise.all(
        columns.map(async ({ known, isInDoubt, query }) =>
          columnType(known, isInDoubt && (await client.query(query))),
        ),
      ),
  };
}

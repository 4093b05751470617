import { Autocomplete, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useLocations } from '../../api/locations';
import { variableKeysQuery } from '../../api/variable-keys';
import { useProjectId } from '../../app/use-project';
import { memberTitle } from '../../components/member-title';
import { SmallTable } from '../../components/small-table';
import { LoadingState } from '../../components/states';
import type { ColumnSummary, ColumnType } from '../../components/typed-text';
import { useFields } from '../../components/use-fields';
import { VariableValue } from '../../components/variable-value';
import {
  columnNameOf,
  enteredTarget,
  isTextColumnName,
  keyOf,
  meaningOf,
  targetsProblem,
  variableTarget,
} from './column-targets';
import type { CsvHead } from './csv';
import { csvBody } from './csv-file';
import classes from './import-page.module.css';
import { PreviewImport } from './preview-import';
import { guessTableTargets, isNeeded, neededMembers, tableMembers } from './table-members';
import { TargetField } from './target-field';
import { useColumnTypes } from './use-column-types';

/** Members that are often the same for all devices of a table, which then has no column for them. */
const CONSTANTS = ['region', 'cell', 'device_type', 'labels'];

interface Props {
  readonly name: string;
  readonly content: Blob;
  readonly head: CsvHead;
  /** What is known of the cells of each column. */
  readonly summaries: readonly ColumnSummary[];
}

type Choice = ColumnType['kind'] | undefined;

/** A table, once the variables are known that its columns can become. */
export function CsvForm(props: Props) {
  const { data: keys, isFetchedAfterMount } = useQuery(variableKeysQuery(useProjectId()));
  // After a failure, `isPending` would be true again while the keys are read again, and the form would lose what was entered.
  if (!keys && !isFetchedAfterMount) return <LoadingState what="the variables" />;
  // The form is there without them.
  return <TableForm {...props} keys={keys ?? NO_KEYS} />;
}

const NO_KEYS: ReadonlySet<string> = new Set();

interface TableProps extends Props {
  /** Those of variables that are in use. */
  readonly keys: ReadonlySet<string>;
}

/** What each column becomes, what its first cells become, and what is the same for all records. */
function TableForm({ name, content, head, summaries, keys }: TableProps) {
  const [targets, setTargets] = useState(() => guessTableTargets(head.names, [...keys]));
  const [choices, setChoices] = useState((): readonly Choice[] =>
    head.names.map((column) => (isTextColumnName(column) ? 'text' : undefined)),
  );
  const variables = useMemo(() => [...keys].map(variableTarget), [keys]);
  const changeTarget = useCallback((i: number, text: string) => {
    const { target, kind } = enteredTarget(text);
    setTargets((before) => before.with(i, target));
    if (kind) setChoices((before) => before.with(i, kind));
  }, []);
  const { types, readAll } = useColumnTypes(summaries, targets);
  const [constants, change] = useFields<Readonly<Record<string, string>>>({});
  const { regions, cells } = useLocations();
  const completions: Readonly<Record<string, readonly { readonly name: string }[]>> = {
    region: regions,
    cell: cells,
  };
  const members = tableMembers(targets);
  const missing = CONSTANTS.filter((member) => !targets.includes(member));
  // `name` has a message of its own.
  const withoutColumn = neededMembers(['name', ...CONSTANTS, ...targets]);
  const given = Object.fromEntries(
    missing.flatMap((member) => {
      const text = constants[member]?.trim() ?? '';
      return text === '' ? [] : [[member, text]];
    }),
  );
  const rows = head.names.map((column, i) => {
    const [type, choice] = [types[i], choices[i]];
    return { column, i, target: targets[i] ?? '', type, choice, kind: choice ?? type?.kind ?? 'mixed' };
  });
  return (
    <Stack gap="md">
      <SmallTable
        label="Columns of the table"
        list={{
          rows,
          isPending: false,
          error: null,
          retry: () => undefined,
          onMore: undefined,
          isLoadingMore: false,
        }}
        keyOf={({ i }) => i}
        columns={[
          { header: 'Column', render: ({ column, i }) => (column === '' ? `Column ${i + 1}` : column) },
          {
            header: 'Becomes',
            render: ({ column, i, target }) => (
              <TargetField
                index={i}
                column={column === '' ? `column ${i + 1}` : column}
                target={target}
                members={members}
                variables={variables}
                isExisting={keys.has(keyOf(target))}
                onChange={changeTarget}
              />
            ),
          },
          {
            header: 'Type',
            render: ({ column, i, target, type, choice, kind }) =>
              type && (
                <>
                  <NativeSelect
                    aria-label={`Type of ${column}`}
                    data={TYPES}
                    value={kind}
                    onChange={({ currentTarget }) => {
                      const chosen = TYPES.find(({ value }) => value === currentTarget.value);
                      setChoices(choices.with(i, chosen?.value));
                    }}
                  />
                  {choice === undefined && <TypeReason type={type} variable={keyOf(target)} />}
                </>
              ),
          },
          {
            header: 'First cells',
            render: ({ i, target, kind }) =>
              target === '' ? (
                <Text size="sm" c="dimmed">
                  ignored
                </Text>
              ) : (
                <ul className={classes.meanings}>
                  {head.records.map((record, n) => (
                    <li key={n}>
                      <Meaning target={target} cell={record[i] ?? ''} kind={kind} />
                    </li>
                  ))}
                </ul>
              ),
          },
        ]}
        empty={null}
      />
      {missing.length > 0 && (
        <Stack gap="xs">
          <Text size="sm">For all rows, because the table has no column for it:</Text>
          <Group gap="xs" align="flex-end">
            {missing.map((member) => (
              <Autocomplete
                key={member}
                label={memberTitle(member)}
                description={isNeeded(member) ? 'Needed for new devices' : undefined}
                data={[...new Set((completions[member] ?? []).map((one) => one.name))]}
                limit={100}
                value={constants[member] ?? ''}
                onChange={(text) => {
                  change({ [member]: text });
                }}
              />
            ))}
          </Group>
        </Stack>
      )}
      {withoutColumn.length > 0 && (
        <Text size="sm" role="status">
          No column becomes {withoutColumn.join(', ')}, which new devices need.
        </Text>
      )}
      <PreviewImport
        name={name}
        problem={targetsProblem(targets, members)}
        bodyOf={async () => {
          const all = await readAll();
          const names = targets.map((target, i) =>
            columnNameOf(target, choices[i] ?? all[i]?.kind ?? 'mixed'),
          );
          return csvBody(content, head, names, given);
        }}
      />
    </Stack>
  );
}

const TYPES: readonly { readonly value: ColumnType['kind']; readonly label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'mixed', label: 'Detect per cell' },
];

/** Why the numbers of a column are texts. */
function TypeReason({ type, variable }: { readonly type: ColumnType; readonly variable: string }) {
  if (type.kind !== 'text') return null;
  const reason =
    type.decidedBy === undefined
      ? `because devices have texts in ${variable}`
      : `because of ${type.decidedBy}`;
  return (
    <Text size="xs" c="dimmed" maw={160} lineClamp={2} title={reason}>
      {reason}
    </Text>
  );
}

interface MeaningProps {
  readonly target: string;
  readonly cell: string;
  readonly kind: ColumnType['kind'];
}

function Meaning({ target, cell, kind }: MeaningProps) {
  const meaning = meaningOf(target, cell, kind);
  switch (meaning.does) {
    case 'set':
      return <VariableValue value={meaning.value} />;
    case 'unset':
      return (
        <Text size="sm" c="dimmed">
          removes it
        </Text>
      );
    case 'nothing':
      return (
        <Text size="sm" c="dimmed">
          stays as it is
        </Text>
      );
  }
}

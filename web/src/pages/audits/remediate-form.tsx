import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { jsonText } from '../../api/exact-json';
import { collectionOfKind } from '../../api/kinds';
import { send } from '../../api/request';
import { FormDialog } from '../../components/form-dialog';
import { VariableTextHint } from '../../components/variable-text-hint';
import { LevelPicker, type LevelChoice } from '../../components/level-picker';
import { RightsHint } from '../../components/rights';
import { VariableValue } from '../../components/variable-value';
import { TextHint } from '../../components/text-hint';
import { enteredValue, type EnteredValue } from '../../components/typed-text';
import { editorText } from '../../components/variable-write';
import type { Audit, ImpliedRemediation } from '../../api/audits';
import { RemediationValueField } from './remediation-value-field';

interface Props {
  readonly audit: Audit;
  /** The level that is chosen first. */
  readonly initial: LevelChoice | undefined;
  /** The key of a failing device. */
  readonly failingKey: string | undefined;
  /** What the audit sets; undefined if it covers several variables. */
  readonly implied: ImpliedRemediation | undefined;
  readonly onClose: () => void;
}

/**
 * Sets a value on a level: at first the one that the audit expects, or else the current one, to be edited. The preview shows which
 * devices then resolve another value.
 */
export function RemediateForm({ audit, initial, failingKey, implied, onClose }: Props) {
  const key = implied?.key ?? failingKey;
  const [level, setLevel] = useState(initial);
  const [typed, setTyped] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const { data: own, error } = useQuery(levelValueQuery(level, key));
  const expected = implied && 'value' in implied ? implied : undefined;
  const current = own?.current && editorText(own.current.value);
  const untouched = expected ? editorText(expected.value) : (current ?? '');
  const text = typed ?? untouched;
  const entered: EnteredValue =
    text === current
      ? { problem: 'This is the current value. Enter another one.' }
      : enteredValue(text, untouched);
  const json = 'json' in entered ? entered.json : '';
  const plan = () => {
    if (!level) return 'Choose the level.';
    if ('problem' in entered) return `Value: ${entered.problem}`;
    const reference = jsonText({ kind: level.kind, id: level.id });
    return {
      title: `Remediate ${audit.name} on ${level.name}`,
      ...(key !== undefined && {
        command: ['muster', 'vars', 'set', level.kind, level.name, `${key}:=${json}`],
      }),
      request: {
        method: 'POST' as const,
        path: `/v1/audits/${audit.id}/remediate`,
        // The edited current value does not overwrite a change by somebody else.
        ...(expected || !own?.etag ? {} : { headers: { 'If-Match': own.etag } }),
        // Not `JSON.stringify` of the parsed value: the text has every digit.
        body: `{"level": ${reference}, "value": ${json}}`,
      },
    };
  };
  return (
    <FormDialog
      title={`Remediate ${audit.name}`}
      plan={plan}
      isIncomplete={!level || 'problem' in entered}
      onApplied={onClose}
      onClose={onClose}
    >
      <LevelPicker level={level} onChange={setLevel} />
      {level && (
        <RightsHint collection={collectionOfKind(level.kind)} keys={key === undefined ? [] : [key]} />
      )}
      {level && own && (
        <Text size="sm">
          Current value on {level.name}:{' '}
          {own.current ? <VariableValue value={own.current.value} name={key} /> : 'none of its own'}
        </Text>
      )}
      {error && <Text size="sm">The current value could not be read: {error.message}</Text>}
      <RemediationValueField
        isExpected={expected !== undefined}
        text={text}
        onChange={setTyped}
        entered={entered}
        ref={field}
      />
      {own?.current ? (
        <TextHint text={json} former={own.current.value} onChange={setTyped} field={field} />
      ) : (
        // What the audit expects is right as it is.
        typed !== undefined && (
          <VariableTextHint variable={key ?? ''} text={json} onChange={setTyped} field={field} />
        )
      )}
    </FormDialog>
  );
}

interface OwnVariables {
  readonly variables?: Readonly<Record<string, unknown>>;
}

interface OwnValue {
  /** Of all variables of the level. */
  readonly etag: string | null;
  /** Undefined: the level does not set the variable. */
  readonly current: { readonly value: unknown } | undefined;
}

/**
 * The own value of a variable on a level. All of them are read, unlike by `readOwnVariable`: browsers log the 404 of one that is not
 * set as an error.
 */
const levelValueQuery = (level: LevelChoice | undefined, key: string | undefined) => ({
  queryKey: [level && collectionOfKind(level.kind), level?.id, 'level-value', key],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<OwnValue | null> => {
    if (!level || key === undefined) return null;
    const path = `/v1/${collectionOfKind(level.kind)}/${level.id}/variables`;
    const { body, response } = await send({ method: 'GET', path }, signal);
    const { variables = {} } = body as OwnVariables;
    return {
      current: Object.hasOwn(variables, key) ? { value: variables[key] } : undefined,
      etag: response.headers.get('etag'),
    };
  },
  enabled: level !== undefined && key !== undefined,
});

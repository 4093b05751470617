import type { ApiError } from '@muster/api-types';
import { asObject } from '../../api/exact-json';
import { CliError, exitCodeFor } from '../../cli-error';
import { pluralize } from '../../text';
import type { Row } from '../../output/rows';
import { jsonText } from '../impact-preview';

/** How many devices, members and variables an error shows. */
const MAX_SHOWN = 20;

/**
 * Adds to the error `impact_changed` what a proposal would do now and would not when it was approved: devices that came,
 * went, or get another value, and other members that are written.
 * @returns other errors unchanged
 */
export function describeImpactChange(id: string, error: ApiError): Error {
  if (error.code !== 'impact_changed') return error;
  const { now } = asObject(error.body ?? {});
  const hint = `  It needs new approvals. To see all of it: muster proposal preview ${id}`;
  return new CliError(error.message, exitCodeFor(error), [
    ...(typeof now === 'object' && now !== null ? changeLines(asObject(now)) : []),
    hint,
    ...(error.requestId === undefined ? [] : [`  request id: ${error.requestId}`]),
  ]);
}

function changeLines({ came, went, other, items, resources }: Row): string[] {
  const counts = [
    [came, 'came'],
    [went, 'went'],
    [other, 'would get another value'],
  ].flatMap(([count, text]) =>
    Number(count) > 0 ? [`${pluralize(Number(count), 'device')} ${String(text)}`] : [],
  );
  const lines = [
    ...(items as unknown[]).map(asObject).flatMap(deviceLines),
    ...(resources as unknown[]).map(asObject).map(resourceLine),
  ];
  const omitted = lines.length - MAX_SHOWN;
  return [
    ...(counts.length > 0 ? [`  ${counts.join(', ')}.`] : []),
    ...lines.slice(0, MAX_SHOWN),
    ...(omitted > 0 ? [`  … and ${String(omitted)} more`] : []),
  ];
}

/** A line for each variable of a device whose change is another one. */
function deviceLines({ kind, name, approved, now }: Row): string[] {
  const [before, after] = [asObject(approved ?? {}), asObject(now ?? {})];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => jsonText(before[key]) !== jsonText(after[key]))
    .map((key) => `  ${String(kind)} ${String(name)}: ${key}: ${sidesText(before[key], after[key])}`);
}

const resourceLine = ({ kind, name, field, approved, now }: Row): string =>
  `  ${String(kind)} ${String(name)}: ${String(field)}: ${sidesText(approved, now)}`;

const sidesText = (approved: unknown, now: unknown): string =>
  `approved ${changeText(approved)}; now ${changeText(now)}`;

/** `"6.8" → "7"`; a value that is not set is `(not set)`. */
function changeText(change: unknown): string {
  if (change === null || change === undefined) return 'no change';
  const { before, after } = asObject(change);
  const textOf = (value: unknown) => (value === undefined ? '(not set)' : jsonText(value));
  return `${textOf(before)} → ${textOf(after)}`;
}

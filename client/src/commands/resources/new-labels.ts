import { Option } from 'commander';
import { asObject } from '../../api/exact-json';
import type { Muster } from '../../api/muster';
import { CliError, EXIT } from '../../cli-error';
import { readOptional } from '../../api/optional-read';
import { nameHint } from '../../lookup/resource-finder';
import { printStatus } from '../../output/console';
import type { RequestBody } from './request-body';

/** The option of commands that give labels. The service creates unknown ones. */
export const createLabelsOption = (): Option =>
  new Option('--no-create-labels', 'fail if a given label does not exist, instead of creating it');

/** The labels in request bodies, each once. */
export const labelsIn = (bodies: readonly RequestBody[]): string[] => [
  ...new Set(bodies.flatMap(({ labels }) => (Array.isArray(labels) ? labels.map(String) : []))),
];

/** Which of the labels do not exist. @param project undefined for the projects that the user sees */
export async function findMissingLabels(
  muster: Muster,
  project: string | undefined,
  labels: readonly string[],
): Promise<string[]> {
  const exists = await Promise.all(
    labels.map(async (label) => {
      const query = { label, project_id: project, fields: ['label'] };
      const { items } = await muster.firstPage('/v1/labels', { query });
      return items.some((item) => asObject(item)['label'] === label);
    }),
  );
  return labels.filter((_, at) => !exists[at]);
}

/** A sentence about each missing label, with a similar name or the command that shows the labels. */
export async function describeMissingLabels(
  muster: Muster,
  project: string | undefined,
  missing: readonly string[],
): Promise<string[]> {
  if (missing.length === 0) return [];
  // Similar names are looked for among those of one page.
  const query = { project_id: project, fields: ['label'] };
  const page = await readOptional(muster, (reader) => reader.firstPage('/v1/labels', { query }));
  const known = (page?.items ?? []).map((item) => String(asObject(item)['label']));
  return missing.map((label) =>
    [`There is no label ${JSON.stringify(label)}.`, ...nameHint('label', label, known)].join(' '),
  );
}

/**
 * Finds the labels that a write would create.
 * @param isAllowed whether it may create labels
 * @throws CliError if it may not, and a label does not exist
 */
export async function findNewLabels(
  muster: Muster,
  project: string | undefined,
  labels: readonly string[],
  isAllowed: boolean,
): Promise<string[]> {
  const missing = await findMissingLabels(muster, project, labels);
  if (isAllowed || missing.length === 0) return missing;
  const [first, ...others] = await describeMissingLabels(muster, project, missing);
  throw new CliError(
    first ?? '',
    EXIT.notFound,
    others.map((text) => `  ${text}`),
  );
}

/** Prints which labels a write has created. */
export function printCreatedLabels(labels: readonly string[]): void {
  printStatus(...labels.map((label) => `Created label ${label}.`));
}

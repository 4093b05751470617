import { jsonText } from '../../api/exact-json';
import {
  defaultKind,
  type DeviceCollection,
  deviceCollections,
  deviceKind,
  kindWords,
} from '../../api/kinds';
import { searchOf as searchOfFilters, variableFiltersOf } from '../../components/variable-filters';
import type { Audit } from '../../api/audits';

/** The devices that an audit checks, before its filters. */
export const kindText = (kind: Audit['kind']): string =>
  kind === null ? 'devices of every kind' : kindWords(deviceKind(kind)?.collection ?? kind);

/** The lists of the devices that an audit checks: a list has one kind. */
export const collectionsOf = (kind: Audit['kind']): readonly DeviceCollection[] =>
  kind === null ? deviceCollections : [deviceKind(kind)?.collection ?? defaultKind.collection];

/** The list of the devices that an audit of one kind checks. */
export const collectionOf = (kind: NonNullable<Audit['kind']>) => deviceKind(kind)?.collection;

/** Filters of an audit or of its expectation. */
export interface Filters {
  readonly vars?: string | null;
  readonly where?: readonly string[] | null;
}

/** Filters as the parameters of a list. */
export const searchOf = ({ vars, where }: Filters) => ({
  vars: vars ?? undefined,
  where: where ? [...where] : undefined,
});

/** The texts of filters. */
export const filterTexts = (filters: Filters): readonly string[] =>
  variableFiltersOf(searchOf(filters)).map(({ text }) => text);

/** The list of the audited devices that meet an expectation. Filters cannot express a schema. */
export const searchOfPassing = (audit: Filters & { readonly expectation: Filters }) =>
  searchOfFilters([audit, audit.expectation].flatMap((filters) => variableFiltersOf(searchOf(filters))));

/** What an audit expects of them. */
export const expectedText = ({ expectation }: Pick<Audit, 'expectation'>): string =>
  expectation.schema === undefined
    ? filterTexts(expectation).join(' and ')
    : `${expectation.key ?? ''}: ${jsonText(expectation.schema)}`;

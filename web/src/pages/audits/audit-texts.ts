import { jsonText } from '../../api/exact-json';
import { deviceKind, kindWords } from '../../api/kinds';
import type { Audit } from './audit-query';

/** The devices that an audit checks, before its filters. */
export const kindText = (kind: Audit['kind']): string =>
  kind === null ? 'devices of every kind' : kindWords(deviceKind(kind)?.collection ?? kind);

/** What an audit expects of them. */
export const expectedText = ({ expectation: { vars, key, schema } }: Pick<Audit, 'expectation'>): string =>
  vars ?? `${key ?? ''}: ${jsonText(schema)}`;

import { jsonText } from '../../api/exact-json';
import type { Audit } from './audit-query';

/** Which devices an audit checks. */
export const targetText = ({ kind, vars }: Pick<Audit, 'kind' | 'vars'>): string =>
  [kind ?? 'device', vars ?? ''].filter((part) => part !== '').join(' ');

/** What an audit expects of them. */
export const expectedText = ({ expectation: { vars, key, schema } }: Pick<Audit, 'expectation'>): string =>
  vars ?? `${key ?? ''}: ${jsonText(schema)}`;

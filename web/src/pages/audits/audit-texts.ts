import { jsonText } from '../../api/exact-json';
import type { Audit } from './audit-query';

/** The devices that an audit checks, before its filters. */
export const kindText = (kind: Audit['kind']): string =>
  kind === null ? 'devices of every kind' : kind === 'host' ? 'hosts' : 'network devices';

/** What an audit expects of them. */
export const expectedText = ({ expectation: { vars, key, schema } }: Pick<Audit, 'expectation'>): string =>
  vars ?? `${key ?? ''}: ${jsonText(schema)}`;

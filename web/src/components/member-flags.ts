import { jsonText } from '../api/exact-json';
import { isName } from './member-description';

/** The options of a `muster` command that set a member. @param value null: it is cleared */
export function flagsOf([name, value]: readonly [string, unknown]): string[] {
  const option = isName(name) ? 'name' : name.replace(/_id$/, '').replaceAll('_', '-');
  if (value === null) return ['--clear', option];
  if (typeof value === 'boolean') return [value ? `--${option}` : `--no-${option}`];
  return [`--${option}`, typeof value === 'string' ? value : jsonText(value)];
}

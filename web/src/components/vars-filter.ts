import { jsonText } from '../api/exact-json';

/** A step of a path: the key of a member. */
const legOf = (key: string): string => (/^[A-Za-z_]\w*$/.test(key) ? key : jsonText(key));

/**
 * A filter of the parameter `vars`: devices that resolve this value.
 * @param path the members of the value that lead to the scalar
 */
export const varsFilter = (key: string, path: readonly string[], scalar: unknown): string =>
  `${[key, ...path].map(legOf).join('.')}:${jsonText(scalar)}`;

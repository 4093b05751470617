/** The identifier of a cell. Its name alone is unique only in its region. */
export const cellId = (region: string, name: string): string => JSON.stringify([region, name]);

/** The region and the name of a cell. */
export function parseCellId(id: string): readonly [region: string, name: string] {
  const [region, name] = JSON.parse(id) as [string, string];
  return [region, name];
}

/** The key that sorts a list by a member: in natural order, if the list has it. Undefined if no key does. */
export function sortKeyOf(
  { sortKeys }: { readonly sortKeys: readonly string[] },
  member: string | undefined,
): string | undefined {
  return sortKeys.find((key) => key === `${member ?? ''}:natural`) ?? sortKeys.find((key) => key === member);
}

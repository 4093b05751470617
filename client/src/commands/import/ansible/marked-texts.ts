/** The beginning of a template, which Ansible would evaluate in a text without the mark. */
const TEMPLATE = /\{[{%#]/;

/**
 * Replaces the objects that Ansible prints for marked texts by these texts, and counts those that keep their mark, and those that
 * are encrypted. The explorer uses it, too.
 */
export class MarkedTexts {
  /** Texts with templates, which keep the mark `__ansible_unsafe`: Ansible reads it and does not evaluate them. */
  templates = 0;
  /** Texts that Ansible Vault encrypted. They become texts. */
  encrypted = 0;

  /** @param toMembers returns the members of an object; undefined for any other value, such as an exact number */
  constructor(private readonly toMembers: (value: unknown) => ReadonlyMap<string, unknown> | undefined) {}

  /** Replaces marked texts within a value. */
  unwrap(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.unwrap(item));
    const members = this.toMembers(value);
    if (!members) return value;
    const unwrapped = new Map([...members].map(([name, member]) => [name, this.unwrap(member)]));
    const [[name, text] = [], second] = unwrapped;
    if (second === undefined && typeof text === 'string') {
      if (name === '__ansible_vault') {
        this.encrypted++;
        return text;
      }
      if (name === '__ansible_unsafe') {
        if (!TEMPLATE.test(text)) return text;
        this.templates++;
      }
    }
    // Unlike an assignment to a member, this works even for `__proto__`.
    return Object.fromEntries(unwrapped);
  }
}

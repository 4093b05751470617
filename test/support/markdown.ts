/** A fenced block of a page. */
export interface CodeBlock {
  /** The word after the fence: `bash`, `ts`, … */
  readonly language: string;
  readonly text: string;
  /** The text between the block before and this one. */
  readonly leads: string;
}

/** The fenced blocks of a page, in order. */
export function codeBlocks(page: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let leads = '';
  let open: { language: string; lines: string[] } | undefined;
  for (const line of page.split('\n')) {
    const fence = /^```(\w*)$/.exec(line);
    if (open && fence) {
      blocks.push({ language: open.language, text: open.lines.map((one) => `${one}\n`).join(''), leads });
      open = undefined;
      leads = '';
    } else if (open) open.lines.push(line);
    else if (fence) open = { language: fence[1] ?? '', lines: [] };
    else leads += `${line}\n`;
  }
  return blocks;
}

/** The part of a page from one heading to the next of the same level. */
export function section(page: string, heading: string): string {
  const level = /^#+/.exec(heading)?.[0] ?? '#';
  const [, after] = page.split(`\n${heading}\n`);
  if (after === undefined) throw new Error(`the page has no heading "${heading}"`);
  return after.split(new RegExp(`\n${level} `))[0] ?? '';
}

/** The rows of the tables in a part of a page, cell by cell, without the headings. */
export function tableRows(part: string): string[][] {
  return part
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** Program output without values that differ between runs, and without white space, because pages wrap long lines. */
export function normal(text: string): string {
  return (
    text
      .replace(/mst_[0-9a-f]{16}_[\w-]{43}/g, '<key>')
      .replace(/("key_id": ?")[0-9a-f]{16}"/g, '$1<key id>"')
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
      // In entity tags.
      .replace(/(?:[0-9a-f]{32}){1,2}(?=")/g, '<digest>')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}/g, '<time>')
      // In tables of the client.
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?![.\d])/g, '<second>')
      .replace(/\s+/g, '')
  );
}

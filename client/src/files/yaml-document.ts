import type { Alias, Document, ParsedNode, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { exactJson } from '../api/exact-json';
import { CliError, EXIT } from '../cli-error';
import { fileError, positionAt, type Position } from './file-access';
import {
  ambiguityText,
  isSameReading,
  readScalarAs,
  readScalar,
  SCALAR_TAG_RESOLVERS,
  SCALAR_TAGS,
  type ScalarReading,
  type YamlVersion,
} from './yaml-scalars';

type Yaml = typeof import('yaml');

/** A text that is one YAML document. */
export interface YamlText {
  readonly text: string;
  readonly file: string;
  /** The number of the first line of the text in the file. */
  readonly line: number;
  /** The version of a document without a directive; undefined if values have to mean the same in both. */
  readonly version: YamlVersion | undefined;
}

/** More than the service accepts. */
const MAX_DEPTH = 100;

/** How many characters of JSON the aliases of a resource may stand for: as many as the service accepts. */
const MAX_EXPANDED_ITEM = 4 * 1024 * 1024;

/** How many characters of JSON all aliases of a document may stand for. */
const MAX_EXPANDED = 1024 * 1024 * 1024;

const MAX_SHOWN = 20;

/**
 * Reads a YAML document as JSON values; aliases share theirs. Numbers keep every digit.
 * @throws CliError with the position: for invalid YAML, for what JSON cannot represent, and for values that the versions of
 * YAML read differently
 */
export function readDocument(yaml: Yaml, source: YamlText): unknown {
  const document = yaml.parseDocument(source.text, {
    // Scalars stay texts: this module reads them. It also checks keys, for which the package takes quadratic time.
    schema: 'failsafe',
    resolveKnownTags: true,
    uniqueKeys: false,
    prettyErrors: false,
    customTags: SCALAR_TAG_RESOLVERS,
  });
  return new DocumentReader(yaml, source, document).read();
}

/** A value, the number of its characters as JSON, and the number of its levels. */
interface Value {
  readonly value: unknown;
  readonly size: number;
  readonly levels: number;
  /** The members of a mapping. */
  readonly members?: ReadonlyMap<string, Value>;
}

type Node = ParsedNode | null;

class DocumentReader {
  private readonly version: YamlVersion | undefined;
  /** The values of anchors, by name; undefined for a node that is not complete. */
  private readonly anchors = new Map<string, Value | undefined>();
  private readonly ambiguous: string[] = [];
  private ambiguousTotal = 0;
  private expanded = 0;
  private expandedItem = 0;

  constructor(
    private readonly yaml: Yaml,
    private readonly source: YamlText,
    private readonly document: Document.Parsed,
  ) {
    const { explicit, version } = document.directives.yaml;
    this.version = explicit === true && version !== 'next' ? version : source.version;
  }

  read(): unknown {
    const { contents, errors, warnings } = this.document;
    // Warnings are about unknown tags, which change the meaning of a value.
    const [first] = [...errors, ...warnings];
    if (first) throw this.error(first.pos[0], `invalid YAML: ${first.message}`);
    const { value } =
      this.yaml.isSeq(contents) && contents.anchor === undefined
        ? this.readItems(contents)
        : this.readNode(contents, 0);
    if (this.ambiguousTotal > 0) throw this.ambiguityError();
    return value;
  }

  /** Reads a list of resources: the limit of aliases is that of each. */
  private readItems({ items }: YAMLSeq.Parsed): Pick<Value, 'value'> {
    const value = items.map((item) => {
      this.expandedItem = 0;
      return this.readNode(item, 0).value;
    });
    return { value };
  }

  private readNode(node: Node, depth: number): Value {
    if (node === null) return { value: null, size: 4, levels: 0 };
    const { anchor } = node;
    if (this.yaml.isAlias(node)) return this.readAlias(node, depth);
    if (depth > MAX_DEPTH) throw this.tooDeep(node);
    if (anchor !== undefined) this.anchors.set(anchor, undefined);
    const value = this.yaml.isScalar(node)
      ? this.readScalar(node)
      : this.yaml.isMap(node)
        ? this.readMapping(node, depth)
        : this.readSequence(node, depth);
    if (anchor !== undefined) this.anchors.set(anchor, value);
    return value;
  }

  private readAlias(node: Alias.Parsed, depth: number): Value {
    const value = this.anchors.get(node.source);
    if (!value)
      throw this.errorAt(
        node,
        this.anchors.has(node.source)
          ? `JSON cannot represent a value that contains itself: *${node.source}.`
          : `invalid YAML: Unresolved alias (the anchor must be set before the alias): ${node.source}`,
      );
    if (depth + value.levels > MAX_DEPTH) throw this.tooDeep(node);
    this.countExpanded(node, value.size);
    return value;
  }

  /** @throws CliError if aliases stand for more than the service would accept */
  private countExpanded(node: Alias.Parsed, size: number): void {
    this.expanded += size;
    this.expandedItem += size;
    if (this.expandedItem > MAX_EXPANDED_ITEM)
      throw this.errorAt(node, 'the aliases of this resource expand to more than 4 MiB.');
    if (this.expanded > MAX_EXPANDED)
      throw this.errorAt(node, 'the aliases of this document expand to more than 1 GiB. Split the file.');
  }

  private readSequence(node: YAMLSeq.Parsed, depth: number): Value {
    this.checkTag(node, 'tag:yaml.org,2002:seq');
    const items = node.items.map((item) => this.readNode(item, depth + 1));
    return collection(
      items.map(({ value }) => value),
      items,
    );
  }

  private readMapping(node: YAMLMap.Parsed, depth: number): Value {
    this.checkTag(node, 'tag:yaml.org,2002:map');
    const own = new Map<string, Value>();
    let merged: ReadonlyMap<string, Value> | undefined;
    for (const { key, value } of node.items) {
      if (this.isMergeKey(key)) {
        if (merged) throw this.errorAt(key, 'the mapping has several keys <<. Use one with a list.');
        merged = this.readMerged(key, value, depth);
        continue;
      }
      const name = this.readKey(key);
      if (own.has(name))
        throw this.errorAt(key, `invalid YAML: the key ${JSON.stringify(name)} occurs twice.`);
      own.set(name, this.readNode(value, depth + 1));
    }
    const members = new Map([...(merged ?? []), ...own]);
    // Unlike an assignment to a member, this works even for `__proto__`.
    const value = Object.fromEntries([...members].map(([name, member]) => [name, member.value]));
    const names = [...members.keys()].reduce((sum, name) => sum + name.length + 3, 0);
    return { ...collection(value, [...members.values()], names), members };
  }

  private isMergeKey(key: Node): key is Scalar.Parsed {
    return this.yaml.isScalar(key) && key.type === 'PLAIN' && key.tag === undefined && key.source === '<<';
  }

  /** The members that a mapping gets from others: of a list, the first that has a key sets it. */
  private readMerged(key: Scalar.Parsed, node: Node, depth: number): ReadonlyMap<string, Value> {
    const sources: readonly Node[] = this.yaml.isSeq(node) ? node.items : [node];
    const merged = new Map<string, Value>();
    for (const source of sources) {
      const { members } = this.readNode(source, depth + 1);
      if (!members) throw this.errorAt(key, 'the value of << has to be a mapping, or a list of mappings.');
      for (const [name, member] of members) if (!merged.has(name)) merged.set(name, member);
    }
    return merged;
  }

  /** The name of a member. Keys that are read alike by both versions keep their text: `1`, `1.10`, `null`. */
  private readKey(key: Node): string {
    if (this.yaml.isAlias(key)) {
      const { value } = this.readAlias(key, 0);
      if (typeof value === 'string') return value;
    }
    if (!this.yaml.isScalar(key))
      throw this.errorAt(
        key,
        'JSON cannot represent a mapping or a list as a key. Put quotes around a template such as "{{ name }}".',
      );
    const reading = this.readingOf(key);
    const { source } = key;
    if (this.version !== '1.1' || reading.type === 'text') return source;
    return isSameReading(reading, readScalar(source, '1.2')) ? source : reading.json;
  }

  private readScalar(node: Scalar.Parsed): Value {
    const { type, json } = this.readingOf(node);
    if (type === 'special number') throw this.errorAt(node, 'this number cannot be represented in JSON.');
    // A scalar that YAML 1.2 does not accept is an error of the document, once all of them are found.
    const value = type === 'text' ? node.value : type === 'invalid' ? null : exactJson.parse(json);
    return { value, size: json.length, levels: 0 };
  }

  /** @throws CliError for a date or binary data, and for an invalid scalar */
  private readingOf(node: Scalar.Parsed): ScalarReading {
    const { source, tag, value, type } = node;
    if (value instanceof Date) throw this.dateError(node, source);
    if (typeof value !== 'string') throw this.errorAt(node, 'JSON cannot represent binary data.');
    const isRead = tag === undefined ? type === 'PLAIN' : SCALAR_TAGS.has(tag);
    if (!isRead) return { type: 'text', json: JSON.stringify(value) };
    const reading = readScalarAs(source, this.version ?? '1.2', tag);
    const in11 = readScalarAs(source, '1.1', tag);
    if (this.version === undefined && !isSameReading(reading, in11)) this.addAmbiguity(node, in11, reading);
    else if (reading.type === 'date') throw this.dateError(node, source);
    else if (reading.type === 'invalid') throw this.errorAt(node, `invalid YAML: ${source} has no value.`);
    return reading;
  }

  private addAmbiguity(node: Scalar.Parsed, in11: ScalarReading, in12: ScalarReading): void {
    this.ambiguousTotal++;
    if (this.ambiguous.length === MAX_SHOWN) return;
    const { line, column } = this.position(node.range[0]);
    this.ambiguous.push(
      `  line ${String(line)}, column ${String(column)}: ${ambiguityText(node.source, in11, in12)}`,
    );
  }

  private ambiguityError(): CliError {
    const more = this.ambiguousTotal - this.ambiguous.length;
    const values = this.ambiguousTotal === 1 ? 'this value' : 'these values';
    return new CliError(
      `YAML 1.1 (Ansible, Salt, PyYAML) and YAML 1.2 read ${values} of ${this.source.file} differently:`,
      EXIT.usageError,
      [
        ...this.ambiguous,
        ...(more > 0 ? [`  and ${String(more)} more`] : []),
        '  Put quotes around a text. For the whole file, --yaml 1.1 or --yaml 1.2 chooses the version, or a directive in it: %YAML 1.1, and --- in the next line.',
      ],
    );
  }

  private dateError(node: ParsedNode, text: string): CliError {
    const choice = this.version === '1.1' ? ' in YAML 1.1' : '';
    return this.errorAt(
      node,
      `${text} is a date${choice}, and JSON cannot represent dates. Put quotes around it: "${text}".`,
    );
  }

  /** @throws CliError for sets, ordered mappings and pairs */
  private checkTag(node: YAMLMap.Parsed | YAMLSeq.Parsed, expected: string): void {
    if (node.tag !== undefined && node.tag !== expected)
      throw this.errorAt(node, `JSON cannot represent a value with the tag ${node.tag}.`);
  }

  private tooDeep(node: ParsedNode): CliError {
    return this.errorAt(node, `this value has more than ${String(MAX_DEPTH)} levels.`);
  }

  private errorAt(node: Node, message: string): CliError {
    return this.error(node?.range[0] ?? 0, message);
  }

  private error(offset: number, message: string): CliError {
    return fileError(this.source.file, this.position(offset), message);
  }

  private position(offset: number): Position {
    return positionAt(this.source.text, offset, { line: this.source.line, column: 1 });
  }
}

/** @param names the characters of the names of members */
function collection(value: unknown, items: readonly Value[], names = 0): Value {
  let [size, levels] = [names + 2, 0];
  for (const item of items) {
    size += item.size + 1;
    levels = Math.max(levels, item.levels);
  }
  return { value, size, levels: levels + 1 };
}

import { MARK, MARKED_ADDRESS } from '../../support/two-projects';
import type { Api, Operation } from './api';
import { HEADER_VALUES, POLLUTION, TEXTS } from './catalogue';
import type { Answer, Sent } from './wire';

/** What no client should ever read, whatever it sent. */
const OF_THE_INSIDE: readonly RegExp[] = [
  /\bat [\w.<> ]*\(?[\w/.:-]+:\d+:\d+\)?/g, // a stack
  /\bnode:[\w/]+/g,
  /node_modules/g,
  /\/(?:src|dist|home|root|usr|var|tmp)\/[\w./-]*/g,
  /\.(?:ts|js|mjs|cjs)\b(?=[:)\s]|$)/g,
  /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|WHERE|RETURNING|ORDER BY)\b/g,
  /\b(?:postgres\w*|pg_\w+|typeorm|nestjs|express|jsonb|SQLSTATE|sequelize|plpgsql)\b/gi,
  /\b(?:relation|constraint|operator does not exist|syntax error at or near|duplicate key value)\b/gi,
  /\binput syntax|out of range for type|\bcannot cast\b|invalid byte sequence|\bUnicode escape\b/gi,
  /\b(?:QueryFailed|Database|Type|Reference|Range|Assertion)Error\b/g,
  /\bERR_[A-Z]|\bE(?:CONN|PIPE|NOENT|ACCES)\w*/g,
  /Cannot (?:read|set|convert|destructure|access)|is not a function|is not iterable|is not defined/g,
  /\[object \w+\]|\bundefined\b/g,
  /Maximum call stack|heap out of memory|Invalid string length|Invalid regular expression/g,
];

/** With these comes more than the body. */
const SAID_WITH: Readonly<Record<number, string>> = {
  401: 'www-authenticate',
  405: 'allow',
  429: 'retry-after',
  503: 'retry-after',
};

/** What a request that is none of the description's may be answered. */
const OF_NO_OPERATION = [400, 401, 404, 405, 413, 414, 415, 417, 431];

/** Before a route is found, any request may be refused so. */
const OF_ANY = [400, 405, 413, 414, 417, 431];

interface ErrorBody {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
  readonly request_id?: unknown;
}

/** What every answer keeps, whatever the request was. */
export class Promises {
  /** @param inside names that the database has and the description has not */
  constructor(
    private readonly api: Api,
    private readonly inside: ReadonlySet<string>,
    private readonly foreign: readonly string[],
  ) {}

  /** @returns what is broken, in words */
  brokenBy(sent: Sent, answer: Answer): string[] {
    const operation = this.api.matching(sent.method, sent.path);
    const isOfRoute = operation?.responses[String(answer.status)] !== undefined;
    const known = operation
      ? isOfRoute || OF_ANY.includes(answer.status)
      : OF_NO_OPERATION.includes(answer.status);
    const faults = [
      ...(answer.status >= 500 ? [`a ${String(answer.status)}`] : []),
      ...(known
        ? []
        : [`${String(answer.status)} is not described for ${operation?.route ?? 'what is no operation'}`]),
      ...this.headersOf(answer),
      ...this.foreignIn(sent, answer),
    ];
    if (sent.method === 'HEAD') return answer.text === '' ? faults : [...faults, 'a HEAD with a body'];
    if (answer.status >= 400) return [...faults, ...this.errorOf(sent, answer)];
    return [...faults, ...(operation ? this.bodyOf(sent, operation, answer) : [])];
  }

  private headersOf({ status, headers, rawHeaders }: Answer): string[] {
    const names = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
    const due = SAID_WITH[status];
    return [
      ...(due === undefined || headers[due] !== undefined ? [] : [`no ${due} with a ${String(status)}`]),
      ...(headers['x-request-id'] === undefined ? ['no X-Request-Id'] : []),
      ...(headers['x-powered-by'] === undefined ? [] : ['X-Powered-By']),
      ...(names.includes('x-injected') ? ['an injected header'] : []),
      ...(new Set(names).size < names.length ? [`a header twice: ${names.join(' ')}`] : []),
      ...(POLLUTION in {} ? ['Object.prototype is polluted'] : []),
    ];
  }

  /** Nothing of the other project stands in an answer, but for what the request itself said. */
  private foreignIn(sent: Sent, { text, rawHeaders }: Answer): string[] {
    const shown = [text, ...rawHeaders].join('\n');
    return this.foreign
      .filter(
        (secret) => shown.includes(secret) && !`${sent.path}${sent.body?.toString() ?? ''}`.includes(secret),
      )
      .map((secret) => `what another project has: ${secret}`);
  }

  private errorOf(sent: Sent, answer: Answer): string[] {
    const { status, headers, text } = answer;
    if (!/^application\/json(;|$)/.test(headers['content-type'] ?? ''))
      return [`an error of type ${String(headers['content-type'])}`];
    const body = parsed(text) as ErrorBody | undefined;
    if (body === undefined) return ['an error that is no JSON'];
    const schema =
      this.api.matching('GET', '/v1/hosts/1')?.responses['404']?.content?.['application/json']?.schema ?? {};
    // Some errors say more than every one does.
    const { code, message, details, request_id } = body;
    return [
      ...this.api.validators.faults(schema, { code, message, details, request_id }),
      ...(request_id === headers['x-request-id']
        ? []
        : ['another request_id in the body than in the header']),
      ...(typeof message === 'string' && message.length > 2_000 && message.length > asked(sent).length
        ? [`an error of ${String(message.length)} characters`]
        : []),
      ...this.insideOf(sent, text).map((found) => `${String(status)} shows of the inside: ${found}`),
    ];
  }

  /** What an error tells that was not in the request. */
  private insideOf(sent: Sent, text: string): string[] {
    const all = [
      ...OF_THE_INSIDE.flatMap((pattern) => text.match(pattern) ?? []),
      ...(text.match(/\w+/g) ?? []).filter((word) => this.inside.has(word)),
    ];
    // Few answers have any, and requests may be long.
    if (all.length === 0) return [];
    const said = asked(sent) + OF_THE_CATALOGUE;
    return all.filter((found) => !said.includes(found.replaceAll('\\', '').toLowerCase()));
  }

  private bodyOf(sent: Sent, { route, responses }: Operation, { status, headers, text }: Answer): string[] {
    const content = responses[String(status)]?.content;
    if (!content || status === 204) return text === '' ? [] : [`a body with a ${String(status)}`];
    const type = /^[^;]*/.exec(headers['content-type'] ?? '')?.[0] ?? '';
    const media = content[type];
    if (!media) return [`${route} answers ${type}`];
    if (!/json$/.test(type) || type.includes('ndjson')) return [];
    const body = parsed(text);
    if (body === undefined) return ['a body that is no JSON'];
    const faults = this.api.validators.faults(media.schema ?? {}, body);
    // What is not asked for is not there.
    return isOfSome(sent) ? faults.filter((fault) => !fault.includes('must have required property')) : faults;
  }
}

/** Names that requests have given come back in the answers to others. */
const OF_THE_CATALOGUE = [...TEXTS, ...HEADER_VALUES].join('\n').replaceAll('\\', '').toLowerCase();

/** Whether only some members are asked for. */
const isOfSome = ({ path }: Sent): boolean => /[?&]fields=/.test(path);

/** All that a request says, however it spells it, in small letters. */
function asked({ path, headers, body }: Sent): string {
  let decoded = path;
  try {
    decoded = decodeURIComponent(path.replaceAll('+', ' '));
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'URIError') throw error;
  }
  return [path, decoded, ...headers.flat(), body?.toString() ?? '']
    .join('\n')
    .replaceAll('\\', '')
    .toLowerCase();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** What no answer in another project shows. */
export const secretsOf = (inventory: Readonly<Record<string, { readonly uuid?: string }>>): string[] => [
  MARK,
  MARKED_ADDRESS,
  ...Object.values(inventory).flatMap(({ uuid }) => (uuid === undefined ? [] : [uuid])),
];

import { MARK, MARKED_ADDRESS } from '../../support/two-projects';
import type { Api, Operation } from './api';
import { HEADER_VALUES, POLLUTION, TEXTS } from './catalogue';
import type { WireResponse, WireRequest } from './wire';

const PAGE_MEDIA_TYPE = 'application/vnd.muster.page+json';

/** Internals that no client may see, whatever it sends. */
const INTERNALS: readonly RegExp[] = [
  /\bat [\w.<> ]*\(?[\w/.:-]+:\d+:\d+\)?/g, // a stack trace
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

/** Headers that these statuses require. */
const REQUIRED_HEADERS: Readonly<Record<number, string>> = {
  401: 'www-authenticate',
  405: 'allow',
  429: 'retry-after',
  503: 'retry-after',
};

/** Statuses for requests that match no operation. */
const STATUSES_WITHOUT_OPERATION = [400, 401, 404, 405, 413, 414, 415, 417, 431];

/** Statuses that any request can get before routing. */
const STATUSES_BEFORE_ROUTING = [400, 405, 413, 414, 417, 431];

interface ErrorBody {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
  readonly request_id?: unknown;
}

/** Whether the database responds in time depends on what else this machine does, not on the request. */
const isReadiness = (operation: Operation | undefined, { status }: WireResponse): boolean =>
  operation?.route === 'GET /readyz' && status === 503;

/** The invariants of every response, whatever the request. */
export class Promises {
  /** @param internalNames names in the database that the OpenAPI document does not contain */
  constructor(
    private readonly api: Api,
    private readonly internalNames: ReadonlySet<string>,
    private readonly foreign: readonly string[],
  ) {}

  /** @returns descriptions of the violations */
  brokenBy(sent: WireRequest, response: WireResponse): string[] {
    const operation = this.api.matching(sent.method, sent.path);
    const isOfRoute = operation?.responses[String(response.status)] !== undefined;
    const known = operation
      ? isOfRoute || STATUSES_BEFORE_ROUTING.includes(response.status)
      : STATUSES_WITHOUT_OPERATION.includes(response.status);
    const faults = [
      ...(response.status >= 500 && !isReadiness(operation, response)
        ? [`a ${String(response.status)}`]
        : []),
      ...(known
        ? []
        : [
            `${String(response.status)} is not described for ${operation?.route ?? 'a path without operation'}`,
          ]),
      ...this.headersOf(response),
      ...this.foreignIn(sent, response),
    ];
    if (sent.method === 'HEAD') return response.text === '' ? faults : [...faults, 'a HEAD with a body'];
    if (response.status >= 400) return [...faults, ...this.errorOf(sent, response)];
    return [...faults, ...(operation ? this.bodyOf(sent, operation, response) : [])];
  }

  private headersOf({ status, headers, rawHeaders }: WireResponse): string[] {
    const names = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
    const requiredHeader = REQUIRED_HEADERS[status];
    return [
      ...(requiredHeader === undefined || headers[requiredHeader] !== undefined
        ? []
        : [`no ${requiredHeader} with a ${String(status)}`]),
      ...(headers['x-request-id'] === undefined ? ['no X-Request-Id'] : []),
      ...(headers['x-powered-by'] === undefined ? [] : ['X-Powered-By']),
      ...(names.includes('x-injected') ? ['an injected header'] : []),
      ...(new Set(names).size < names.length ? [`a header twice: ${names.join(' ')}`] : []),
      ...(POLLUTION in {} ? ['Object.prototype is polluted'] : []),
    ];
  }

  /** Finds data of the other project in a response, except what the request itself contained. */
  private foreignIn(sent: WireRequest, { text, rawHeaders }: WireResponse): string[] {
    const shown = [text, ...rawHeaders].join('\n');
    return this.foreign
      .filter(
        (secret) => shown.includes(secret) && !`${sent.path}${sent.body?.toString() ?? ''}`.includes(secret),
      )
      .map((secret) => `data of another project: ${secret}`);
  }

  private errorOf(sent: WireRequest, response: WireResponse): string[] {
    const { status, headers, text } = response;
    if (!/^application\/json(;|$)/.test(headers['content-type'] ?? ''))
      return [`an error of type ${String(headers['content-type'])}`];
    const body = parsed(text) as ErrorBody | undefined;
    if (body === undefined) return ['an error that is not JSON'];
    const schema =
      this.api.matching('GET', '/v1/hosts/1')?.responses['404']?.content?.['application/json']?.schema ?? {};
    // Some errors have additional members.
    const { code, message, details, request_id } = body;
    return [
      ...this.api.validators.faults(schema, { code, message, details, request_id }),
      ...(request_id === headers['x-request-id'] ? [] : ['different request_id in the body and the header']),
      ...(typeof message === 'string' && message.length > 2_000 && message.length > requestText(sent).length
        ? [`an error of ${String(message.length)} characters`]
        : []),
      ...this.internalsIn(sent, text).map((found) => `${String(status)} exposes internals: ${found}`),
    ];
  }

  /** Internals in an error that were not in the request. */
  private internalsIn(sent: WireRequest, text: string): string[] {
    const all = [
      ...INTERNALS.flatMap((pattern) => text.match(pattern) ?? []),
      ...(text.match(/\w+/g) ?? []).filter((word) => this.internalNames.has(word)),
    ];
    // Few responses have any, so that long requests are rarely searched.
    if (all.length === 0) return [];
    const allowed = requestText(sent) + CATALOGUE_TEXT;
    return all.filter((found) => !allowed.includes(found.replaceAll('\\', '').toLowerCase()));
  }

  private bodyOf(
    sent: WireRequest,
    { route, responses }: Operation,
    { status, headers, text }: WireResponse,
  ): string[] {
    const { content, 'x-page': page } = responses[String(status)] ?? {};
    if (!content || status === 204) return text === '' ? [] : [`a body with a ${String(status)}`];
    const type = /^[^;]*/.exec(headers['content-type'] ?? '')?.[0] ?? '';
    const media = type === PAGE_MEDIA_TYPE && page ? { schema: page } : content[type];
    if (!media) return [`${route} returns ${type}`];
    if (!/json$/.test(type) || type.includes('ndjson')) return [];
    const body = parsed(text);
    if (body === undefined) return ['a body that is not JSON'];
    const faults = this.api.validators.faults(media.schema ?? {}, body);
    // Members that were not requested are absent.
    return selectsFields(sent)
      ? faults.filter((fault) => !fault.includes('must have required property'))
      : faults;
  }
}

/** Names from earlier requests can appear in later responses. */
const CATALOGUE_TEXT = [...TEXTS, ...HEADER_VALUES].join('\n').replaceAll('\\', '').toLowerCase();

/** Whether the request selects only some members. */
const selectsFields = ({ path }: WireRequest): boolean => /[?&]fields=/.test(path);

/** The text of a request, raw and decoded, in lower case. */
function requestText({ path, headers, body }: WireRequest): string {
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

/** Data that no response in another project may contain. */
export const secretsOf = (inventory: Readonly<Record<string, { readonly uuid?: string }>>): string[] => [
  MARK,
  MARKED_ADDRESS,
  ...Object.values(inventory).flatMap(({ uuid }) => (uuid === undefined ? [] : [uuid])),
];

/** Which server a session may be on, in libpq's words. */
export type TargetSessionAttrs = 'any' | 'read-write' | 'primary';

/** The servers that a URL names, and which of them is wanted. */
export interface ServerList {
  /** A URL of one host for each, as the driver takes it, in the order in which they are named. */
  readonly urls: readonly string[];
  readonly wanted: TargetSessionAttrs;
}

const WANTED: readonly TargetSessionAttrs[] = ['any', 'read-write', 'primary'];

const UNREADABLE = 'must be a URL, with hosts and ports as in host:5432,other:5432';

/** The scheme, the login, the hosts, the path and the query. The login ends at the last `@`. */
const FORM = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?/;

/**
 * Reads a URL as libpq does: with several hosts, each with its port (`postgres://user@h1:5432,h2/database`), or as
 * parameters (`?host=/run/a,/run/b&port=5432`), and with `target_session_attrs`. The driver knows neither.
 * @throws Error saying what is wrong with it, without a word of what it holds
 */
export function parseServers(url: string): ServerList {
  const [, scheme, login = '', authority = '', path = '', query = ''] = FORM.exec(url) ?? [];
  if (scheme === undefined) throw new Error('must begin with postgres://');
  const parameters = query.split('&').filter((parameter) => parameter !== '');
  const ports = listOf(parameters, 'port');
  const inQuery = listOf(parameters, 'host');
  const hosts = inQuery ?? authority.split(',');
  if (hosts.length > 1 && hosts.includes('')) throw new Error('names a host without a name');
  if (ports !== undefined && ports.length !== 1 && ports.length !== hosts.length)
    throw new Error('must name one port, or one for each host');
  if (hosts.length === 1 && !/[?&]target_session_attrs=/.test(url)) {
    if (!isReadable(url)) throw new Error(UNREADABLE);
    return { urls: [url], wanted: 'any' };
  }
  const rest = parameters.filter((one) => !/^(host|port|target_session_attrs)=/.test(one));
  const urls = hosts.map((host, i) => {
    const port = ports?.[i] ?? ports?.[0];
    const own = [
      ...rest,
      ...(inQuery ? [`host=${encodeURIComponent(host)}`] : []),
      ...(port === undefined ? [] : [`port=${encodeURIComponent(port)}`]),
    ].join('&');
    const named = inQuery ? (authority.split(',')[0] ?? '') : host;
    return `${scheme}${login}${named}${path}${own === '' ? '' : `?${own}`}`;
  });
  if (!urls.every(isReadable)) throw new Error(UNREADABLE);
  return { urls, wanted: wantedOf(parameters, hosts.length) };
}

/** What the setting says, and else what alone is of use: with several servers, the one that can be written to. */
function wantedOf(parameters: readonly string[], hosts: number): TargetSessionAttrs {
  const [said, ...others] = listOf(parameters, 'target_session_attrs') ?? [];
  if (said === undefined) return hosts > 1 ? 'read-write' : 'any';
  const wanted = others.length > 0 ? undefined : WANTED.find((word) => word === said);
  if (wanted === undefined) throw new Error(`takes as target_session_attrs only ${WANTED.join(', ')}`);
  return wanted;
}

/** The values of a parameter, joined by commas; of two of the name, the last counts, as for the driver. */
function listOf(parameters: readonly string[], name: string): string[] | undefined {
  const value = parameters.findLast((parameter) => parameter.startsWith(`${name}=`))?.slice(name.length + 1);
  return value === undefined ? undefined : decodeURIComponent(value).split(',');
}

/** As the driver reads it: without a host, too, and with characters that should have been encoded. */
const isReadable = (url: string): boolean =>
  [url, url.replace('@/', '@localhost/')].some((form) => URL.canParse(form) || URL.canParse(encodeURI(form)));

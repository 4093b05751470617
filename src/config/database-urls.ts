/** The kinds of servers that a session may use, as in libpq. */
export type TargetSessionAttrs = 'any' | 'read-write' | 'primary';

/** The servers of a URL, and the kind of server to use. */
export interface ServerList {
  /** One URL per host, because the driver accepts only one host, in the order of the original URL. */
  readonly urls: readonly string[];
  readonly wanted: TargetSessionAttrs;
}

const WANTED: readonly TargetSessionAttrs[] = ['any', 'read-write', 'primary'];

const INVALID_URL = 'must be a URL, with hosts and ports as in host:5432,other:5432';

const UNENCODED_LOGIN =
  'has a character of the password (or the user) that URLs require to be encoded: / as %2F, ? as %3F, # as %23, @ as %40';

/** The scheme, the login, the hosts, the path and the query. The login ends at the last `@`. */
const URL_PARTS = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?/;

/**
 * Parses a URL as libpq does: with several hosts and ports (`postgres://user@h1:5432,h2/database`), also as parameters
 * (`?host=/run/a,/run/b&port=5432`), and with `target_session_attrs`. The driver supports neither.
 * @throws Error that says what is invalid, without any part of the URL, because the URL contains a password
 */
export function parseServers(url: string): ServerList {
  const [, scheme, login = '', authority = '', path = '', query = ''] = URL_PARTS.exec(url) ?? [];
  if (scheme === undefined) throw new Error('must begin with postgres://');
  // Otherwise, a part of the password would be taken for a host or a database, and messages would name it.
  if (url.includes('#') || path.includes('@') || /^[^=]*@/.test(query)) throw new Error(UNENCODED_LOGIN);
  const parameters = query.split('&').filter((parameter) => parameter !== '');
  const ports = parameterValues(parameters, 'port');
  const queryHosts = parameterValues(parameters, 'host');
  const hosts = queryHosts ?? authority.split(',');
  if (hosts.length > 1 && hosts.includes('')) throw new Error('contains an empty host name');
  if (ports !== undefined && ports.length !== 1 && ports.length !== hosts.length)
    throw new Error('must have one port, or one port per host');
  if (hosts.length === 1 && !/[?&]target_session_attrs=/.test(url)) {
    if (!isValidUrl(url)) throw new Error(INVALID_URL);
    return { urls: [url], wanted: 'any' };
  }
  const rest = parameters.filter((one) => !/^(host|port|target_session_attrs)=/.test(one));
  const urls = hosts.map((host, i) => {
    const port = ports?.[i] ?? ports?.[0];
    const ownParameters = [
      ...rest,
      ...(queryHosts ? [`host=${encodeURIComponent(host)}`] : []),
      ...(port === undefined ? [] : [`port=${encodeURIComponent(port)}`]),
    ].join('&');
    const urlHost = queryHosts ? (authority.split(',')[0] ?? '') : host;
    return `${scheme}${login}${urlHost}${path}${ownParameters === '' ? '' : `?${ownParameters}`}`;
  });
  if (!urls.every(isValidUrl)) throw new Error(INVALID_URL);
  return { urls, wanted: wantedOf(parameters, hosts.length) };
}

/** The value of `target_session_attrs`. With several servers, the default is the one that accepts writes. */
function wantedOf(parameters: readonly string[], hosts: number): TargetSessionAttrs {
  const [value, ...others] = parameterValues(parameters, 'target_session_attrs') ?? [];
  if (value === undefined) return hosts > 1 ? 'read-write' : 'any';
  const wanted = others.length > 0 ? undefined : WANTED.find((word) => word === value);
  if (wanted === undefined) throw new Error(`has an invalid target_session_attrs: use ${WANTED.join(', ')}`);
  return wanted;
}

/** The comma-separated values of a parameter. The last parameter of a name counts, as for the driver. */
function parameterValues(parameters: readonly string[], name: string): string[] | undefined {
  const value = parameters.findLast((parameter) => parameter.startsWith(`${name}=`))?.slice(name.length + 1);
  return value === undefined ? undefined : decodeURIComponent(value).split(',');
}

/** The driver also accepts URLs without a host and with unencoded characters. */
const isValidUrl = (url: string): boolean =>
  [url, url.replace('@/', '@localhost/')].some((form) => URL.canParse(form) || URL.canParse(encodeURI(form)));

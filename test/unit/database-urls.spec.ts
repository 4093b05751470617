import { parseServers } from '../../src/config/database-urls';

const UNENCODED =
  'has a character of the password (or the user) that URLs require to be encoded: / as %2F, ? as %3F, # as %23, @ as %40';

describe('parseServers', () => {
  it.each([
    ['postgres://u:p@h/d', ['postgres://u:p@h/d'], 'any'],
    ['postgres://u@/d?host=/run/postgresql', ['postgres://u@/d?host=/run/postgresql'], 'any'],
    ['postgresql://h1,h2', ['postgresql://h1', 'postgresql://h2'], 'read-write'],
    [
      'postgres://u:p@h1:1,[::1]:2,h3/d?ssl=true&target_session_attrs=primary',
      ['postgres://u:p@h1:1/d?ssl=true', 'postgres://u:p@[::1]:2/d?ssl=true', 'postgres://u:p@h3/d?ssl=true'],
      'primary',
    ],
    ['postgres://h1,h2/d?target_session_attrs=any', ['postgres://h1/d', 'postgres://h2/d'], 'any'],
    ['postgres://h/d?target_session_attrs=read-write', ['postgres://h/d'], 'read-write'],
    // One port for all hosts, or one for each.
    ['postgres://h1,h2/d?port=7', ['postgres://h1/d?port=7', 'postgres://h2/d?port=7'], 'read-write'],
    [
      'postgres://u@x/d?host=/a%2Cb,/c&port=1,2',
      ['postgres://u@x/d?host=%2Fa&port=1', 'postgres://u@x/d?host=b&port=2'],
      'error',
    ],
    [
      'postgres://u@x/d?host=/a,/b&port=1,2',
      ['postgres://u@x/d?host=%2Fa&port=1', 'postgres://u@x/d?host=%2Fb&port=2'],
      'read-write',
    ],
    // The login ends at the last @.
    ['postgres://u:a@b@h/d?user=c@d', ['postgres://u:a@b@h/d?user=c@d'], 'any'],
    // A password may contain commas.
    ['postgres://u:a,b@h1,h2/d', ['postgres://u:a,b@h1/d', 'postgres://u:a,b@h2/d'], 'read-write'],
  ])('reads the servers of %s', (url, urls, wanted) => {
    if (wanted === 'error')
      expect(() => parseServers(url)).toThrow('must have one port, or one port per host');
    else expect(parseServers(url)).toEqual({ urls, wanted });
  });

  it.each([
    ['mysql://h/d', 'must begin with postgres://'],
    ['postgres://u:secret@h1,/d', 'contains an empty host name'],
    ['postgres://u:secret@h1,h2/d?port=1,2,3', 'must have one port, or one port per host'],
    ['postgres://u:secret@h1:x,h2/d', 'must be a URL, with hosts and ports as in host:5432,other:5432'],
    [
      'postgres://u:secret@h1,h2/d?target_session_attrs=standby',
      'has an invalid target_session_attrs: use any, read-write, primary',
    ],
    ['postgres://u:12/secret@h/d', UNENCODED],
    ['postgres://u:12?secret@h/d', UNENCODED],
    ['postgres://u:12#secret@h/d', UNENCODED],
  ])('rejects %s', (url, fault) => {
    const result = (): string => {
      try {
        return JSON.stringify(parseServers(url));
      } catch (error) {
        return String(error);
      }
    };
    expect(result()).toBe(`Error: ${fault}`);
  });
});

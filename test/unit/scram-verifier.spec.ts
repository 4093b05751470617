import { scramVerifier } from '../../src/database/roles/scram-verifier';

describe('the SCRAM verifier of a password', () => {
  const PASSWORD = 'päss"w\u017frd\'';

  it('is what PostgreSQL stores for it', () => {
    // From pg_authid, after CREATE ROLE with this password.
    const stored =
      'SCRAM-SHA-256$4096:Ery9dtWM7vo4S/7cXb8dWQ==$/Q4o6xdhsSEn3iOmQYAUUJ0loL5sNuk5qkPyhmU0Tno=' +
      ':3XsTZ5JB/zT7nwMolQWdvG7UXIR9TXmU2bI5nJwuoJM=';
    expect(scramVerifier(PASSWORD, Buffer.from('Ery9dtWM7vo4S/7cXb8dWQ==', 'base64'))).toBe(stored);
  });

  it('does not contain it', () => {
    expect(scramVerifier(PASSWORD)).not.toContain(PASSWORD);
  });
});

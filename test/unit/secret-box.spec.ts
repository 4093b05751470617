import { randomBytes } from 'node:crypto';
import { fingerprintOf, SecretBox, type SecretKeys } from '../../src/shared/secret-box';

describe('a box of secrets', () => {
  it('seals at once with what has replaced the keys that it was told at its start', () => {
    const [told, replaced]: [SecretKeys, SecretKeys] = [[randomBytes(32)], [randomBytes(32)]];
    const box = new SecretBox(told, () => replaced);
    expect(box.seal('a text', 'somewhere').key_fingerprint).toBe(fingerprintOf(replaced[0]));
  });
});

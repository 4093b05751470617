import { randomBytes } from 'node:crypto';
import { fingerprintOf, SecretBox, type SecretKeys } from '../../src/core/secret-box';

describe('SecretBox', () => {
  it('seals at once with replaced keys', () => {
    const [initial, replaced]: [SecretKeys, SecretKeys] = [[randomBytes(32)], [randomBytes(32)]];
    const box = new SecretBox(initial, () => replaced);
    expect(box.seal('a text', 'somewhere').key_fingerprint).toBe(fingerprintOf(replaced[0]));
  });

  it('opens only with the complete authentication tag', () => {
    const box = new SecretBox([randomBytes(32)]);
    const sealed = box.seal('a text', 'somewhere');
    expect(box.open(sealed, 'somewhere')).toBe('a text');
    for (const length of [0, 4, 8, 12, 13, 14, 15]) {
      const authentication_tag = sealed.authentication_tag.subarray(0, length);
      expect(() => box.open({ ...sealed, authentication_tag }, 'somewhere')).toThrow(
        'Invalid authentication tag length',
      );
    }
  });
});

import { safePath } from '../src/pages/sign-in/safe-path';

describe('the page after the sign-in', () => {
  it.each(['https://example.com/', '//example.com', '/\\example.com', 'example.com', '', undefined])(
    'is not at another origin: %p',
    (path) => {
      expect(safePath(path)).toBe('/');
    },
  );

  it.each(['/', '/devices?name_prefix=web-#top'])('is the one that was asked for: %p', (path) => {
    expect(safePath(path)).toBe(path);
  });
});

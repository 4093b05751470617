import { assertSupported, newerVersionWarning } from '../../src/database/connection/server-version';

it.each(['15.0', '15.20 (Debian 15.20-0+deb12u1)', '16.14', '18.4'])(
  'accepts PostgreSQL %s without a warning',
  (version) => {
    expect(() => {
      assertSupported(version);
    }).not.toThrow();
    expect(newerVersionWarning(version)).toBeUndefined();
  },
);

it.each(['14.19', '9.6.24'])('refuses PostgreSQL %s', (version) => {
  expect(() => {
    assertSupported(version);
  }).toThrow(
    `The database server is PostgreSQL ${version}, which is too old: Muster supports PostgreSQL 15 to 18.`,
  );
});

it.each(['19beta1', '20.1'])('warns about PostgreSQL %s', (version) => {
  expect(newerVersionWarning(version)).toContain(`PostgreSQL ${version}, with which`);
});

import { impliedRemediation } from '../../src/governance/audits/implied-remediation';
import type { Expectation } from '../../src/governance/audits/expectation';

describe('what the remediation of an audit sets', () => {
  const remediationOf = (expectation: Expectation) =>
    impliedRemediation({ expectation, expectationText: JSON.stringify(expectation) });

  it.each<[Expectation, string, unknown]>([
    [{ vars: 'kernel:"6.8"', value: '6.9' }, 'kernel', '6.9'],
    [{ vars: 'kernel:"6.8"' }, 'kernel', '6.8'],
    [{ where: ['"x-y" = 3'] }, 'x-y', 3],
    [{ key: 'kernel', schema: { const: null } }, 'kernel', null],
    [{ key: 'kernel', schema: { default: '6.8' } }, 'kernel', '6.8'],
    [{ key: 'kernel', schema: { const: '6.8' }, value: '6.9' }, 'kernel', '6.9'],
  ])('%j: of %s, the value %j', (expectation, key, parsed) => {
    expect(remediationOf(expectation)).toMatchObject({ key, value: { parsed } });
  });

  it.each<[Expectation]>([
    [{ where: ['kernel >= "6.8"', 'kernel < "6.9"'] }],
    [{ where: ['kernel in ["6.8"]'] }],
    [{ where: ['kernel exists'] }],
    [{ where: ['kernel.major = 6'] }],
    [{ key: 'kernel', schema: true }],
  ])('%j: of kernel, a value that it does not know', (expectation) => {
    expect(remediationOf(expectation)).toEqual({ key: 'kernel', value: undefined });
  });

  it('nothing, if the audit covers several variables', () => {
    expect(remediationOf({ vars: 'kernel:"6.8",ntp:"a"' })).toBeUndefined();
  });
});

import { expectedValue } from '../src/pages/audits/expected-value';

describe('the value that an audit expects', () => {
  it.each([
    [{ vars: 'kernel:"6.8"', value: '6.9' }, { value: '6.9' }],
    [{ vars: 'kernel:"6.8"' }, { value: '6.8' }],
    [{ where: ['"x-y" = 3'] }, { value: 3 }],
    [{ key: 'kernel', schema: { const: null } }, { value: null }],
    [{ key: 'kernel', schema: { default: '6.8' } }, { value: '6.8' }],
    // Others are not the value of one whole variable.
    [{ vars: 'kernel:"6.8",ntp:"a"' }, undefined],
    [{ where: ['kernel >= "6.8"'] }, undefined],
    [{ where: ['kernel in ["6.8"]'] }, undefined],
    [{ where: ['kernel exists'] }, undefined],
    [{ where: ['os.name = "linux"'] }, undefined],
    [{ key: 'kernel', schema: true }, undefined],
  ])('%j is %j', (expectation, value) => {
    expect(JSON.parse(JSON.stringify(expectedValue({ expectation }) ?? null))).toEqual(value ?? null);
  });
});

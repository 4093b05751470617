import { groupEqualFaults, lineNumbers } from '@muster/api-types';

describe('faults of an import that are the same', () => {
  it('are grouped in the order of their first lines', () => {
    const fault = (line: number, message: string, file = 'a') => ({ line, message, file });
    const faults = [fault(2, 'no rack-9'), fault(3, 'no ip'), fault(4, 'no rack-9'), fault(1, 'no ip', 'b')];
    expect(groupEqualFaults(faults, ({ file }) => file)).toEqual([
      { message: 'no rack-9', faults: [faults[0], faults[2]] },
      { message: 'no ip', faults: [faults[1]] },
      { message: 'no ip', faults: [faults[3]] },
    ]);
    expect(groupEqualFaults(faults)).toHaveLength(2);
  });

  it.each([
    [[2], '2'],
    [[2, 3], '2, 3'],
    [[2, 3, 4], '2 to 4'],
    [[9, 2, 5, 6, 7], '2, 5 to 7, 9'],
    [[1, 3, 5, 7, 9, 11, 12], '1, 3, 5, 7, 9, …'],
  ])('have the numbers %j', (lines, text) => {
    expect(lineNumbers(lines)).toBe(text);
  });
});

import type { components } from '@muster/api-types';
import { jsonText } from '../api/exact-json';
import { ValueBars } from './value-bars';
import { devicesWith, type DistributionSearch } from './value-distribution';
import { VariableValue } from './variable-value';

interface Props {
  readonly name: string;
  /** Which devices were counted. */
  readonly search: DistributionSearch;
  readonly data: components['schemas']['VariableValues'];
}

/** The most frequent values of a variable as bars. Each leads to the list of its devices, if a filter can express it. */
export const DistributionBars = ({ name, search, data }: Props) => (
  <ValueBars
    label={`Values of ${name}`}
    total={data.devices}
    bars={data.values.map(({ value, devices: number }) => ({
      id: jsonText(value),
      name: <VariableValue value={value} isBrief />,
      count: number,
      link: devicesWith(name, value, data, search),
    }))}
  />
);

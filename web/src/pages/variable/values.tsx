import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useProjectId } from '../../app/use-project';
import { counted } from '../../components/counted';
import { DistributionBars } from '../../components/distribution-bars';
import { RouteLink } from '../../components/resource-link';
import { ErrorState, LoadingState } from '../../components/states';
import { devicesWithout, valuesQuery } from '../../components/value-distribution';
import { NoDevice } from './no-device';
import type { VariableSearch } from './variable-search';

const MAX_VALUES = 50;
const count = new Intl.NumberFormat();

interface Props {
  readonly name: string;
  readonly search: VariableSearch;
}

/** The distribution of the resolved values: the most frequent ones, each with a link to its devices. */
export function Values({ name, search }: Props) {
  const { data, error, refetch } = useQuery(valuesQuery(useProjectId(), name, search, MAX_VALUES));
  if (error && !data) return <ErrorState error={error} what="the values" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the values" />;
  if (data.values.length === 0) return <NoDevice search={search} />;
  const { devices, without, distinct, values } = data;
  const missing = devicesWithout(name, search);
  return (
    <>
      <Text size="sm" c="dimmed" py="sm" role="status">
        {counted(distinct, 'different value')} on {count.format(devices - without)} of{' '}
        {counted(devices, 'device')}
        {distinct > values.length && `; the ${count.format(values.length)} most frequent ones are shown`}
        {without > 0 && (
          <>
            {' · '}
            {missing ? (
              <RouteLink {...missing} size="sm">
                {counted(without, 'device')} without it
              </RouteLink>
            ) : (
              `${counted(without, 'device')} without it`
            )}
          </>
        )}
      </Text>
      <DistributionBars name={name} search={search} data={data} />
    </>
  );
}

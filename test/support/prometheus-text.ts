/** The values of metrics, by name with labels. */
export type Samples = ReadonlyMap<string, number>;

/** Reads the text format of Prometheus. */
export function samplesOf(text: string): Samples {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** The names of all metrics, including metrics without samples. */
export const metricNames = (text: string): string[] =>
  [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name);

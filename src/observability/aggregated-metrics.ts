import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';

type Metrics = readonly MetricObjectWithValues<MetricValue<string>>[];

/** What grows for as long as a process lives. What the others tell is of no use when it has ended. */
const isLasting = ({ type }: { readonly type: unknown }): boolean =>
  type === 'counter' || type === 'histogram';

/**
 * The metrics of several processes as those of one. What ended processes have counted stays counted, for what counts
 * must not go back.
 */
export class MetricsOfAll {
  private departed: Metrics = [];
  private turn: Promise<void> = Promise.resolve();

  /** Keeps what a process that has ended told last. */
  keep(metrics: Metrics): void {
    this.turn = this.turn.then(async () => {
      const lasting = [this.departed, metrics.filter(isLasting)];
      this.departed = await AggregatorRegistry.aggregate(lasting).getMetricsAsJSON();
    });
  }

  /** Them together with those of the processes that live, in the text format of Prometheus. */
  async textWith(present: readonly Metrics[]): Promise<string> {
    await this.turn;
    return AggregatorRegistry.aggregate([...present, this.departed]).metrics();
  }
}

import type { DataSource } from 'typeorm';
import type { AppMetrics } from '../../core/app-metrics';
import type { TimeLimits } from '../connection/connection-options';
import { Database } from '../database';
import type { Replicas } from '../replication/replicas';
import { CitusDatabase } from './citus-database';
import { isDistributed } from './is-distributed';

/**
 * Creates the database of a data source. Whether it is distributed does not change while the service runs.
 * @param isWithoutDatabase whether the data source never connects: that of `warmUp`
 */
export async function createDatabase(
  dataSource: DataSource,
  replicas: Replicas,
  metrics: AppMetrics,
  limits?: TimeLimits,
  isWithoutDatabase = false,
): Promise<Database> {
  const distributed = !isWithoutDatabase && (await isDistributed(dataSource));
  const DatabaseClass = distributed ? CitusDatabase : Database;
  return new DatabaseClass(dataSource, replicas, metrics, limits);
}

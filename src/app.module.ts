import { Logger, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { connectionOptions } from '../ormconfig';
import { AccessSecretsModule } from './access-secrets/access-secrets.module';
import { AccountsModule } from './accounts/accounts.module';
import { ExternalRegistrar } from './accounts/external-registrar';
import { RootUserPolicy } from './accounts/root-user-policy';
import { SessionsModule } from './accounts/sessions/sessions.module';
import { AuthModule } from './auth/auth.module';
import { EXTERNAL_USER_REGISTRAR } from './auth/identity/external-users';
import { BatchModule } from './batch/batch.module';
import { BulkModule } from './bulk/bulk.module';
import { CellsModule } from './cells/cells.module';
import { IMPACT_ASSESSOR } from './changes/impact-assessor';
import { WRITE_POLICIES, type WritePolicy } from './changes/write-policy';
import { CloudsModule } from './clouds/clouds.module';
import { Environment } from './config/environment';
import { CellMoverService } from './devices/cell-mover.service';
import { DevicesModule } from './devices/devices.module';
import { HostsModule } from './devices/kinds/host/hosts.module';
import { NetworkDevicesModule } from './devices/kinds/network-device/network-devices.module';
import { UniqueAddressPolicy } from './devices/unique-address-policy';
import { DefinitionPolicy } from './governance/definitions/definition-policy';
import { GovernanceModule } from './governance/governance.module';
import { ViewsModule } from './views/views.module';
import { HistoryModule } from './history/history.module';
import { ImpactService } from './impact/impact.service';
import { ImpactModule } from './impact/impact.module';
import { IntegrationsModule } from './integrations/integrations.module';
import { LabelsModule } from './labels/labels.module';
import { ObservabilityModule, type Worker } from './observability/observability.module';
import { SESSION_LIMITS, type SessionLimits } from './auth/sessions/session-store';
import { SearchModule } from './search/search.module';
import { StatisticsModule } from './statistics/statistics.module';
import { VariableKeysModule } from './variable-keys/variable-keys.module';
import { CELL_MOVER } from './regions/cell-mover';
import { PROPOSER } from './writes/proposer';
import { ProposalsModule } from './proposals/proposals.module';
import { ProposalsService } from './proposals/proposals.service';
import { RegionsModule } from './regions/regions.module';
import { APP_SETTINGS, type AppSettings } from './core/context/request-context';
import { COLLECTION_NAMES } from './accounts/role-collections';
import { collectionNames } from './history/revert/revertible-kinds';
import { maxStreams, STREAM_LIMITS, type StreamLimits } from './http/streamed-response';
import type { Connection, ServiceConnectionRole } from './database/connection/connection';
import {
  clientFor,
  poolOptions,
  PoolSockets,
  queryTimeout,
  TIME_LIMITS,
  type TimeLimits,
  WITHOUT_DATABASE,
} from './database/connection/connection-options';
import { ListsModule } from './lists/lists.module';
import { DatabaseModule } from './database/database.module';
import { WATCHDOG_OPTIONS, type WatchdogOptions } from './database/health/database-watchdog';
import { REPLICATION, type ReplicationOptions } from './database/replication/replicas';
import { SECRET_BOX, type SecretBox } from './core/secret-box';

/** What the application is started with. */
export interface AppOptions {
  readonly environment: Environment;
  readonly connection: Connection;
  /** Whether connections take the service's role: see `ormconfig.ts`. */
  readonly as: ServiceConnectionRole;
  /** Encrypts access secrets. */
  readonly secrets: SecretBox;
  /** Set if there are several worker processes. */
  readonly worker?: Worker;
  /** Whether the application connects to the database. By default, it does; `warmUp` runs without one. */
  readonly connects?: boolean;
}

@Module({})
export class AppModule {
  static with({ environment, connection, as, secrets, worker, connects = true }: AppOptions): DynamicModule {
    const settings: AppSettings = {
      publicUrl: environment.PUBLIC_URL,
      listBody: environment.LIST_BODY,
    };
    const limits: TimeLimits = {
      statement: environment.STATEMENT_SECONDS,
      transaction: environment.TRANSACTION_SECONDS,
    };
    const use = { as, poolSize: environment.DATABASE_POOL_SIZE, statementSeconds: limits.statement };
    const [sockets, replicaSockets] = [new PoolSockets(), new PoolSockets()];
    const client = clientFor(connection, use, (host, former) => {
      new Logger('Database').warn(`New connections go to ${host}; before, they went to ${former}`);
    });
    const orm = {
      ...connectionOptions(connection, { ...use, socket: sockets.create }, client),
      retryAttempts: 0,
      manualInitialization: !connects,
    };
    const watchdog: WatchdogOptions | undefined = connects
      ? { server: poolOptions(connection, use, client), sockets, replicaSockets }
      : undefined;
    const replication: ReplicationOptions = {
      primary: poolOptions(connection, use, client),
      replicas: (environment.DATABASE_REPLICA_URLS ?? []).map((url) =>
        poolOptions({ url }, { ...use, socket: replicaSockets.create }),
      ),
      maxLagSeconds: environment.DATABASE_REPLICA_LAG_SECONDS,
      timeoutMs: queryTimeout(limits),
    };
    const streams: StreamLimits = {
      ...maxStreams(environment.DATABASE_POOL_SIZE),
      timeout: environment.EXPORT_SECONDS,
    };
    const sessions: SessionLimits = {
      idleSeconds: environment.SESSION_IDLE_MINUTES * 60,
      maxSeconds: environment.SESSION_HOURS * 3600,
    };
    return {
      module: AppModule,
      global: true,
      imports: [
        TypeOrmModule.forRoot(orm),
        DatabaseModule,
        ListsModule,
        ObservabilityModule.with(environment, worker),
        DevicesModule,
        HostsModule,
        NetworkDevicesModule,
        AuthModule.with(environment),
        AccountsModule,
        SessionsModule,
        CloudsModule,
        RegionsModule,
        CellsModule,
        LabelsModule,
        AccessSecretsModule,
        ImpactModule,
        HistoryModule,
        VariableKeysModule,
        StatisticsModule,
        SearchModule,
        GovernanceModule,
        ViewsModule,
        BulkModule,
        BatchModule,
        ProposalsModule,
        IntegrationsModule,
      ],
      providers: [
        { provide: Environment, useValue: environment },
        { provide: APP_SETTINGS, useValue: settings },
        { provide: COLLECTION_NAMES, useValue: collectionNames },
        { provide: STREAM_LIMITS, useValue: streams },
        { provide: REPLICATION, useValue: replication },
        { provide: TIME_LIMITS, useValue: limits },
        { provide: WITHOUT_DATABASE, useValue: !connects },
        { provide: WATCHDOG_OPTIONS, useValue: watchdog },
        { provide: SECRET_BOX, useValue: secrets },
        { provide: SESSION_LIMITS, useValue: sessions },
        // What modules need of modules above them.
        { provide: EXTERNAL_USER_REGISTRAR, useExisting: ExternalRegistrar },
        { provide: CELL_MOVER, useExisting: CellMoverService },
        { provide: IMPACT_ASSESSOR, useExisting: ImpactService },
        { provide: PROPOSER, useExisting: ProposalsService },
        {
          provide: WRITE_POLICIES,
          inject: [UniqueAddressPolicy, RootUserPolicy, DefinitionPolicy],
          useFactory: (...policies: WritePolicy[]) => policies,
        },
      ],
      exports: [
        Environment,
        APP_SETTINGS,
        COLLECTION_NAMES,
        STREAM_LIMITS,
        REPLICATION,
        TIME_LIMITS,
        WITHOUT_DATABASE,
        WATCHDOG_OPTIONS,
        SECRET_BOX,
        SESSION_LIMITS,
        EXTERNAL_USER_REGISTRAR,
        CELL_MOVER,
        IMPACT_ASSESSOR,
        PROPOSER,
        WRITE_POLICIES,
      ],
    };
  }
}

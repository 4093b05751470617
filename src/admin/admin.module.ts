import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { connectionOptions } from '../../ormconfig';
import { AccountsModule } from '../accounts/accounts.module';
import { ExternalRegistrar } from '../accounts/external-registrar';
import { RootUserPolicy } from '../accounts/root-user-policy';
import { COLLECTION_NAMES } from '../accounts/role-collections';
import { EXTERNAL_USER_REGISTRAR } from '../auth/identity/external-users';
import { IMPACT_ASSESSOR, type ImpactAssessor } from '../changes/impact-assessor';
import { type Proposer, PROPOSER } from '../writes/proposer';
import { WRITE_POLICIES, type WritePolicy } from '../changes/write-policy';
import { Environment } from '../config/environment';
import { APP_SETTINGS, type AppSettings } from '../core/context/request-context';
import type { Connection, ConnectionRole } from '../database/connection/connection';
import { DatabaseModule } from '../database/database.module';
import { collectionNames } from '../history/revert/revertible-kinds';
import { ListsModule } from '../lists/lists.module';
import { IntegrityCheckService } from './integrity-check/integrity-check.service';

const notPreviewed = () => new Error('Commands make no dry runs and no changes in batches.');

/** The changes of commands do not touch the inventory. */
const NO_IMPACT: ImpactAssessor = {
  count: () => Promise.resolve({ devices: 0, publicDevices: 0 }),
  assess: () => Promise.reject(notPreviewed()),
  page: () => Promise.reject(notPreviewed()),
  effects: () => Promise.reject(notPreviewed()),
  accumulate: () => {
    throw notPreviewed();
  },
};

const notProposed = () => new Error('Commands make no proposals.');

/** Commands propose nothing. */
const NO_PROPOSER: Proposer = {
  propose: () => Promise.reject(notProposed()),
  runLimited: () => Promise.reject(notProposed()),
};

/** The application of the commands: the services of the server, without the HTTP layer. */
@Module({})
export class AdminModule {
  static with(environment: Environment, connection: Connection, as: ConnectionRole): DynamicModule {
    const settings: AppSettings = {
      publicUrl: environment.PUBLIC_URL,
      listBody: environment.LIST_BODY,
    };
    return {
      module: AdminModule,
      global: true,
      imports: [
        TypeOrmModule.forRoot({ ...connectionOptions(connection, { as }), retryAttempts: 0 }),
        DatabaseModule,
        ListsModule,
        AccountsModule,
      ],
      providers: [
        IntegrityCheckService,
        { provide: Environment, useValue: environment },
        { provide: APP_SETTINGS, useValue: settings },
        { provide: COLLECTION_NAMES, useValue: collectionNames },
        { provide: EXTERNAL_USER_REGISTRAR, useExisting: ExternalRegistrar },
        { provide: IMPACT_ASSESSOR, useValue: NO_IMPACT },
        { provide: PROPOSER, useValue: NO_PROPOSER },
        {
          provide: WRITE_POLICIES,
          inject: [RootUserPolicy],
          useFactory: (...policies: WritePolicy[]) => policies,
        },
      ],
      exports: [
        Environment,
        APP_SETTINGS,
        COLLECTION_NAMES,
        EXTERNAL_USER_REGISTRAR,
        IMPACT_ASSESSOR,
        PROPOSER,
        WRITE_POLICIES,
      ],
    };
  }
}

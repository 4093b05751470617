import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { connectionOptions } from '../../ormconfig';
import { AccountsModule } from '../accounts/accounts.module';
import type { Environment } from '../config/environment';
import { APP_SETTINGS, type AppSettings } from '../core/context/app-settings';
import { COLLECTION_NAMES } from '../auth/role-collections';
import { collectionNames } from '../history/revert/revertible-kinds';
import type { ConnectionRole, Connection } from '../database/connection/connection';
import { DatabaseModule } from '../database/database.module';
import { ListModule } from '../list/list-engine';
import { IntegrityCheckService } from './integrity-check/integrity-check.service';

/** The application of the commands: the services of the server, without the HTTP layer. */
@Module({})
export class AdminModule {
  static with(environment: Environment, connection: Connection, as: ConnectionRole): DynamicModule {
    const settings: AppSettings = {
      publicUrl: environment.PUBLIC_URL,
      listBody: environment.LIST_BODY,
      maxFeedWaiters: environment.FEED_WAITERS,
    };
    return {
      module: AdminModule,
      global: true,
      imports: [
        TypeOrmModule.forRoot({ ...connectionOptions(connection, { as }), retryAttempts: 0 }),
        DatabaseModule,
        ListModule,
        AccountsModule,
      ],
      providers: [
        IntegrityCheckService,
        { provide: APP_SETTINGS, useValue: settings },
        { provide: COLLECTION_NAMES, useValue: collectionNames },
      ],
      exports: [APP_SETTINGS, COLLECTION_NAMES],
    };
  }
}

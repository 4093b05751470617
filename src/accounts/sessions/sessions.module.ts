import { Module } from '@nestjs/common';
import { AuthCachesModule } from '../../auth/auth-caches.module';
import { SessionController } from './session.controller';
import { SessionsService } from './sessions.service';
import { SignInController } from './sign-in.controller';

/** The sessions of browsers. Commands do not use them. */
@Module({
  imports: [AuthCachesModule],
  controllers: [SessionController, SignInController],
  providers: [SessionsService],
})
export class SessionsModule {}

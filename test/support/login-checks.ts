import { fork } from 'node:child_process';
import { join } from 'node:path';

/** The service's login, and the table owner's login if it is another one. */
export interface Connection {
  readonly url: string;
  readonly owner?: { readonly url: string };
}

/** The result of the service's login check at startup. */
export interface ServiceLogin {
  readonly as: 'service' | 'login';
  readonly privilegeWarning?: string;
}

type LoginResult = { readonly id: number } & (
  | { readonly login: ServiceLogin }
  | { readonly refusal: string }
);

/** Checks logins as the built service does when it starts. */
export class LoginChecks {
  private readonly child = fork(join(__dirname, 'login-check-process.cjs'));
  private sent = 0;

  constructor() {
    this.child.setMaxListeners(100);
  }

  /** @throws Error with the message that the service would print */
  check(connection: Connection): Promise<ServiceLogin> {
    const id = ++this.sent;
    return new Promise((resolve, reject) => {
      const onMessage = (result: LoginResult) => {
        if (result.id !== id) return;
        this.child.off('message', onMessage).off('exit', onExit);
        if ('login' in result) resolve(result.login);
        else reject(new Error(result.refusal));
      };
      const onExit = () => {
        reject(new Error('the process that checks logins has ended'));
      };
      this.child.on('message', onMessage).once('exit', onExit);
      this.child.send({ id, connection });
    });
  }

  stop(): void {
    this.child.disconnect();
  }
}

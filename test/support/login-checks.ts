import { fork } from 'node:child_process';
import { join } from 'node:path';

/** Who connects to a database: the service, and the owner of the tables if that is another login. */
export interface Connection {
  readonly url: string;
  readonly owner?: { readonly url: string };
}

/** What the service has found out about its login when it started. */
export interface ServiceLogin {
  readonly as: 'service' | 'login';
  readonly weakness?: string;
}

type Answer = { readonly id: number } & ({ readonly login: ServiceLogin } | { readonly refusal: string });

/** Checks logins as the built service does when it starts. */
export class LoginChecks {
  private readonly child = fork(join(__dirname, 'login-check-process.cjs'));
  private sent = 0;

  constructor() {
    this.child.setMaxListeners(100);
  }

  /** @throws Error with what the service would print instead of starting */
  check(connection: Connection): Promise<ServiceLogin> {
    const id = ++this.sent;
    return new Promise((resolve, reject) => {
      const onMessage = (answer: Answer) => {
        if (answer.id !== id) return;
        this.child.off('message', onMessage).off('exit', onExit);
        if ('login' in answer) resolve(answer.login);
        else reject(new Error(answer.refusal));
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

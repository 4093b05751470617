import { createSecretBox } from '../access-secrets/key-source';
import { readEnvironment } from '../config/environment';
import { Application } from './application';

/**
 * Runs what every start runs, without a database and without listening. The build does so before it stores the compiled
 * functions of the bundle, because V8 compiles a function when it is called first: see `scripts/bundle.mjs`.
 */
export async function warmUp(): Promise<void> {
  const application = await Application.create({
    environment: readEnvironment({ LOG_LEVEL: 'fatal' }),
    connection: { url: 'postgresql://localhost/' },
    as: 'service',
    secrets: createSecretBox({ keys: [Buffer.alloc(32).toString('base64')] }),
    connects: false,
  });
  await application.stop();
}

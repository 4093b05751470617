import { resolve } from 'node:path';

export default {
  input: 'openapi.json',
  // With the compiler's configuration, the generator writes imports as the compiler resolves them.
  output: { path: 'muster', tsConfigPath: resolve('tsconfig.json') },
};

import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express } from 'express';

/**
 * Caches the responses of these paths, which are the same for all clients and never change while the process runs. Each
 * is rendered once and stored once, however many clients read it at a time.
 */
export function cacheStaticResponses(app: NestExpressApplication, paths: readonly string[]): void {
  const router: Express = app.getHttpAdapter().getInstance();
  for (const path of paths) {
    let cached: { readonly type: string; readonly bytes: Buffer } | undefined;
    router.get(path, (_request, response, next) => {
      if (cached) {
        response.setHeader('content-type', cached.type);
        response.send(cached.bytes);
        return;
      }
      const send = response.send.bind(response);
      response.send = (body: string) => {
        cached = {
          type: response.get('content-type') ?? 'application/octet-stream',
          bytes: Buffer.from(body),
        };
        response.setHeader('content-type', cached.type);
        return send(cached.bytes);
      };
      next();
    });
  }
}

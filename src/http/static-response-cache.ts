import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express } from 'express';

/**
 * Keeps what is answered on these paths, which is the same for everybody and for as long as the process lives. It is made
 * once, and is there once, however many are being sent it.
 */
export function keepAnswers(app: NestExpressApplication, paths: readonly string[]): void {
  const router: Express = app.getHttpAdapter().getInstance();
  for (const path of paths) {
    let kept: { readonly type: string; readonly bytes: Buffer } | undefined;
    router.get(path, (_request, response, next) => {
      if (kept) {
        response.setHeader('content-type', kept.type);
        response.send(kept.bytes);
        return;
      }
      const send = response.send.bind(response);
      response.send = (body: string) => {
        kept = {
          type: response.get('content-type') ?? 'application/octet-stream',
          bytes: Buffer.from(body),
        };
        response.setHeader('content-type', kept.type);
        return send(kept.bytes);
      };
      next();
    });
  }
}

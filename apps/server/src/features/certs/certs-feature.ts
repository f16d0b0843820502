import { join } from 'node:path';
import { certsApi } from '@weir/contract';
import type { Config, Log } from '@weir/plane';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { Store } from '../../core/store/store.ts';
import { AcmeIssuer, type Issuer } from './acme-issuer.ts';
import { CertsRepository } from './certs-repository.ts';
import { CertsService } from './certs-service.ts';
import { Challenges, challengeRoute } from './challenges.ts';
import { PairFiles } from './pair-files.ts';

interface Context {
  readonly config: Config;
  readonly store: Store;
  readonly log: Log;
}

/** Everything about certificates, with the pair on the disk made whole first. */
export async function createCerts({ config, store, log: parent }: Context) {
  const log = parent.child({ feature: 'certs' });
  const repository = new CertsRepository(store);
  const challenges = new Challenges();
  const files = new PairFiles(join(config.dataDir, 'config'));
  const issuer: Issuer = new AcmeIssuer({ ...config.acme, repository, challenges, log });
  const certs = new CertsService({ repository, files, issuer, log });
  try {
    await files.recover();
    if (config.selfSigned) await certs.ensureSelfSigned();
  } catch (error) {
    // HTTP still works, and the page says what is wrong with HTTPS.
    log.warn({ err: error }, 'certificate files not ready');
  }
  return { certs, challenges };
}

export function certsRoutes(http: HttpApp, { certs, challenges }: Awaited<ReturnType<typeof createCerts>>): void {
  challengeRoute(http, challenges);
  http.route(certsApi.query, () => certs.query());
  http.route(certsApi.status, () => certs.status());
  http.route(certsApi.order, ({ domain }) => certs.order(domain));
  http.route(certsApi.upload, async ({ key, crt }) => {
    // As the reference server keeps them: trimmed, with one line feed at the end.
    await certs.upload({ key: `${key}\n`, crt: `${crt}\n` });
    return null;
  });
  http.route(certsApi.selfSigned, async () => {
    await certs.ensureSelfSigned();
    return null;
  });
}

import { join } from 'node:path';
import { certsApi } from '@weir/contract';
import type { Config, Log } from '@weir/plane';
import { WeirError } from '../../core/errors.ts';
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

type Certs = Awaited<ReturnType<typeof createCerts>>;

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
    if (config.selfSigned && !config.httpsElsewhere) await certs.ensureSelfSigned();
  } catch (error) {
    // HTTP still works, and the page says what is wrong with HTTPS.
    log.warn({ err: error }, 'certificate files not ready');
  }
  return { certs, challenges, isElsewhere: config.httpsElsewhere };
}

export function certsRoutes(http: HttpApp, { certs, challenges, isElsewhere }: Certs): void {
  const assertHere = () => {
    if (isElsewhere) throw new WeirError('https_elsewhere', 'HTTPS is managed outside this server (SRS_HTTPS is off)');
  };
  challengeRoute(http, challenges);
  http.route(certsApi.query, () => certs.query());
  http.route(certsApi.status, async () => ({ ...(await certs.status()), elsewhere: isElsewhere }));
  http.route(certsApi.order, ({ domain }) => {
    assertHere();
    return certs.order(domain);
  });
  http.route(certsApi.upload, async ({ key, crt }) => {
    assertHere();
    await certs.upload({ key, crt });
  });
  http.route(certsApi.selfSigned, async () => {
    assertHere();
    await certs.ensureSelfSigned();
  });
}

import { join } from 'node:path';
import { certsApi } from '@weir/contract';
import type { Config, Log } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import { AcmeIssuer, type Issuer } from './acme-issuer.ts';
import { CertsRepository } from './certs-repository.ts';
import { CertsService } from './certs-service.ts';
import { Challenges, challengeRoute } from './challenges.ts';
import { PairFiles } from './pair-files.ts';

interface Context {
  readonly config: Config;
  readonly store: Store;
  readonly log: Log;
  readonly clock: Clock;
}

/** The certificate of the HTTPS port. The pair on the disk is made whole before anything else. */
export async function certsFeature({ config, store, clock, log: parent }: Context): Promise<Feature> {
  const log = parent.child({ feature: 'certs' });
  const repository = new CertsRepository(store);
  const challenges = new Challenges();
  const files = new PairFiles(join(config.dataDir, 'config'));
  const issuer: Issuer = new AcmeIssuer({ ...config.acme, repository, challenges, log });
  const certs = new CertsService({ repository, files, issuer, log, clock });
  try {
    await files.recover();
    if (config.selfSigned && !config.httpsElsewhere) await certs.ensureSelfSigned();
  } catch (error) {
    // HTTP still works, and the page says what is wrong with HTTPS.
    log.warn({ err: error }, 'certificate files could not be prepared');
  }
  return {
    routes: certsRoutes(certs, { challenges, isElsewhere: config.httpsElsewhere }),
    tasks: { 'renew-certificate': (signal) => certs.keepRenewed(signal) },
  };
}

function certsRoutes(
  certs: CertsService,
  { challenges, isElsewhere }: { readonly challenges: Challenges; readonly isElsewhere: boolean },
): Feature['routes'] {
  const assertHere = () => {
    if (isElsewhere) throw new WeirError('https_elsewhere', 'HTTPS is managed outside this server (SRS_HTTPS is off)');
  };
  return (http) => {
    // A pending order must not keep the server from stopping.
    http.fastify.addHook('preClose', async () => certs.giveUp('the server was stopped'));
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
  };
}

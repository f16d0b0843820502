import { authApi } from '@weir/contract';
import type { Config, Log } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import type { HashCost } from '../../core/passwords/password.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import { AuthService } from './auth-service.ts';
import { IdentityRepository } from './identity-repository.ts';

interface Context {
  readonly store: Store;
  readonly log: Log;
  readonly clock: Clock;
  readonly config: Pick<Config, 'initialPassword' | 'apiSecret'>;
  readonly hashCost: HashCost | undefined;
}

/** Authentication of the administrator and of scripts with the API secret. */
export function authFeature(context: Context): Feature & { readonly service: AuthService } {
  const { store, log, clock, config, hashCost } = context;
  const service = new AuthService({
    identity: new IdentityRepository(store, clock),
    log: log.child({ feature: 'auth' }),
    clock,
    initialPassword: config.initialPassword,
    fixedApiSecret: config.apiSecret,
    hashCost,
  });
  return { routes: authRoutes(service), service };
}

function authRoutes(auth: AuthService): Feature['routes'] {
  return (http) => {
    // This path both queries and sets: without a password it answers like `authApi.initState`.
    http.route(authApi.init, async ({ password, code }, { isLocal, address }) =>
      password === '' ? { init: await auth.isInitialised() } : auth.setUp(password, { code, isLocal, address }),
    );
    http.route(authApi.login, ({ password }, { address }) => auth.signIn(password, address));
    http.route(authApi.token, async (_body, { caller }) => {
      const { token, createAt, expireAt } = await auth.refresh(caller);
      return { token, createAt, expireAt };
    });
    http.route(authApi.logout, ({ all }, { caller }) => (all ? auth.signOutEverywhere() : auth.signOut(caller)));
    http.route(authApi.changePassword, ({ password, newPassword }, { address }) =>
      auth.changePassword(password, newPassword, address),
    );
    http.route(authApi.apiSecret, () => auth.apiSecret());
    http.route(authApi.rotateApiSecret, () => auth.rotateApiSecret());
  };
}

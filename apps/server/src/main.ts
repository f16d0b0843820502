import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Boot,
  closeServer,
  type Log,
  listenOnSocket,
  type RedisAddress,
  type RunningPlane,
  runPlane,
  TaskGroup,
} from '@weir/plane';
import { createApp } from './app.ts';
import type { Overrides } from './context.ts';
import { systemClock } from './core/clock.ts';
import { readDataId } from './core/store/redis/data-id.ts';
import { RedisLease } from './core/store/redis/redis-lease.ts';
import { RedisStore } from './core/store/redis/redis-store.ts';
import { LeaderElection } from './leader-election/leader-election.ts';
import { standbyServer } from './leader-election/standby-server.ts';
import { SrsHooks } from './media-server/srs/srs-hooks.ts';

type Exchange = [IncomingMessage, ServerResponse];

interface SharedGiven extends Omit<Overrides, 'store' | 'pair'> {
  readonly address: RedisAddress;
  /** Ends this process: the next one of the launcher's begins on standby. */
  readonly exit: () => void;
}

/**
 * Runs one of several control planes on a shared store. A standby has no app: it could run no job, and a new leader
 * must read the state that the last leader left.
 */
async function runShared(boot: Boot, log: Log, given: SharedGiven): Promise<RunningPlane> {
  const { address, clock = systemClock, exit } = given;
  given.launcher.waitsFor('the database');
  const node = createHash('sha256').update(boot.ownToken).digest('hex').slice(0, 32);
  // The lease has its own connection: renewing must not wait for a large answer, and it is closed last.
  const leases = new RedisStore(address, log, { clock });
  const lease = new RedisLease(leases, { node, url: boot.config.nodeUrl });
  let app: Awaited<ReturnType<typeof createApp>> | undefined;
  const serve = async () => {
    const store = new RedisStore(address, log, { dataId: readDataId(boot.config.filesDir), clock });
    store.fence = lease.epoch;
    const { nodeUrl: leader, filesDir, dataDir } = boot.config;
    const pair = {
      leader,
      filesShared: filesDir !== dataDir,
      standbys: () => lease.standbys(),
      term: Number(lease.epoch),
      isLeading: () => lease.renew(),
    };
    app = await createApp(boot, log, { ...given, store, pair });
    await listenOnSocket(app.http.fastify.server, boot.sockets.server);
  };
  const leadership = new LeaderElection({
    lease,
    clock,
    log,
    onLead: async () => {
      await closeServer(standby);
      await serve();
    },
    onLost: (reason) => {
      log.error({ reason }, 'this server no longer leads');
      exit();
    },
  });
  const standby = standbyServer(() => leadership.leader);
  const { srs } = boot.config;
  // On standby it is refused there, as the engine of this machine is.
  const route = (...exchange: Exchange) =>
    app === undefined ? standby.emit('request', ...exchange) : app.http.fastify.routing(...exchange);
  const hooks = srs && new SrsHooks({ listen: srs.hooks, token: boot.hookToken, route, log });
  await hooks?.open();
  const tasks = new TaskGroup(log);
  const isLeading = await leadership.tryOnce();
  tasks.spawn('lead', (signal) => leadership.run(signal, isLeading));
  if (isLeading) await serve();
  else {
    log.info({ leader: leadership.leader ?? 'none' }, 'on standby');
    await listenOnSocket(standby, boot.sockets.server);
  }
  const setupCode = await app?.setupCode().catch(() => undefined);
  return {
    facts: setupCode === undefined ? {} : { setupCode },
    close: async () => {
      await tasks.close();
      await closeServer(standby);
      await hooks?.close();
      await app?.close();
      // After its work has ended, the next leader may begin at once.
      if (app !== undefined) await lease.end().catch(() => undefined);
      await leases.close();
    },
  };
}

runPlane('server', async (boot, log, launcher, hidden) => {
  const { store, nodeUrl } = boot.config;
  if (store.kind === 'redis' && nodeUrl !== '')
    return runShared(boot, log, { launcher, hidden, address: store, exit: () => process.exit(1) });
  const app = await createApp(boot, log, { launcher, hidden });
  const { fastify } = app.http;
  const { srs } = boot.config;
  const hooks =
    srs &&
    new SrsHooks({ listen: srs.hooks, token: boot.hookToken, route: (req, res) => fastify.routing(req, res), log });
  launcher.waitsFor('its private socket');
  await hooks?.open();
  await listenOnSocket(fastify.server, boot.sockets.server);
  launcher.waitsFor('the database');
  // A store that cannot be read is no reason not to start: calls answer 1007 until it can.
  const setupCode = await app.setupCode().catch(() => undefined);
  return {
    facts: setupCode === undefined ? {} : { setupCode },
    close: async () => {
      await hooks?.close();
      await app.close();
    },
  };
});

import { listenOnSocket, runPlane } from '@weir/plane';
import { createApp } from './app.ts';
import { SrsHooks } from './media-server/srs/srs-hooks.ts';
import { runShared } from './shared-plane.ts';

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

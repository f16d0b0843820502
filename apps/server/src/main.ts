import { listenOnSocket, runPlane } from '@weir/plane';
import { createApp } from './app.ts';

runPlane('server', async (boot, log, launcher, hidden) => {
  const app = await createApp(boot, log, { launcher, hidden });
  await listenOnSocket(app.http.fastify.server, boot.sockets.server);
  // A store that cannot be read is no reason not to start: calls answer 1007 until it can.
  const setupCode = await app.setupCode().catch(() => undefined);
  return { facts: setupCode === undefined ? {} : { setupCode }, close: () => app.close() };
});

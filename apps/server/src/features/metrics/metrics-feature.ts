import { BlockList, isIP } from 'node:net';
import type { Alert, Health } from '@weir/contract';
import type { Config } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import type { Feature } from '../../core/feature.ts';
import { readClientAddress } from '../../core/http/call.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { writeMetrics } from './write-metrics.ts';

const contentType = 'text/plain; version=0.0.4; charset=utf-8';

interface Context {
  readonly config: Pick<Config, 'metrics' | 'version'>;
  readonly mediaServer: MediaServer;
  readonly observe: () => Promise<{ readonly health: Health; readonly alerts: readonly Alert[] }>;
  readonly clock: Clock;
}

/** Scrapers that come more often get the same text again: making it costs milliseconds with many streams. */
const keptMs = 1000;

/** Measurements for Prometheus at `/metrics`, where an operator asked for them. */
export function metricsFeature({ config, mediaServer, observe, clock }: Context): Feature {
  const { metrics, version } = config;
  const startedAtMs = clock.dateMs();
  let kept: { readonly text: Promise<Buffer>; readonly untilMs: number } | undefined;
  const write = async () => {
    const [seen, samples] = await Promise.all([observe(), mediaServer.latestSamples().catch(() => undefined)]);
    return Buffer.from(await writeMetrics({ ...seen, samples, version, startedAtMs }));
  };
  const read = () => {
    const nowMs = clock.elapsedMs();
    if (!kept || nowMs >= kept.untilMs) {
      const text = write();
      kept = { text, untilMs: nowMs + keptMs };
      text.catch(() => {
        kept = undefined;
      });
    }
    return kept.text;
  };
  return {
    routes: (http) => {
      if (!metrics) return;
      const allowed = listOf(metrics.addresses);
      http.fastify.get('/metrics', async (request, reply) => {
        const address = readClientAddress(request);
        const family = isIP(address);
        const isListed = family !== 0 && allowed.check(address, family === 6 ? 'ipv6' : 'ipv4');
        if (!isListed) await http.authorise(request, reply);
        const text = await read();
        return reply.header('content-type', contentType).header('cache-control', 'no-store').send(text);
      });
    },
  };
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  }
  return list;
}

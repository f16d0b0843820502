import { BlockList, isIP } from 'node:net';
import type { Alert, Health } from '@weir/contract';
import type { EngineSamples, ProgramStatus } from '@weir/engine-api';
import type { Config } from '@weir/plane';
import { playProtocols, type SampleTable, type ServerSampleField, type StreamSampleField } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import { readClientAddress } from '../../core/http/call.ts';
import type { Feature } from '../../feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';

/** Limit of streams: each adds a line per field to the metrics. */
const mostStreams = 200;

interface Seen {
  readonly version: string;
  readonly startedAtMs: number;
  readonly health: Health;
  readonly alerts: readonly Alert[];
  /** Undefined while the engine does not answer. */
  readonly samples: EngineSamples | undefined;
  readonly programs: readonly ProgramStatus[];
}

/** Fields of samples as gauges, in the base units of Prometheus: bytes, seconds, ratios. */
const streamGauges: readonly [name: string, help: string, field: StreamSampleField, factor: number][] = [
  ['receive_bytes_per_second', 'Bytes per second from the publisher', 'inKbps', 125],
  ['send_bytes_per_second', 'Bytes per second to all viewers', 'outKbps', 125],
  ['frames_per_second', 'Video frames per second', 'fps', 1],
  ['keyframe_interval_seconds', 'Time between keyframes', 'keyframeMs', 0.001],
  ['pace_ratio', 'Seconds of media received per second', 'pace', 1],
  ['audio_silence_ratio', 'Fraction of the audio that is silent', 'silence', 1],
  ['publisher_rtt_seconds', 'Round-trip time to the publisher over SRT or WebRTC', 'rttMs', 0.001],
  ['publisher_loss_ratio', 'Fraction of packets from the publisher that were lost', 'lossPercent', 0.01],
];
const serverGauges: readonly [name: string, help: string, field: ServerSampleField, factor: number][] = [
  ['receive_bytes_per_second', 'Bytes per second from all publishers', 'inKbps', 125],
  ['send_bytes_per_second', 'Bytes per second to all viewers', 'outKbps', 125],
  ['streams', 'Live streams', 'streams', 1],
  ['cpu_usage_ratio', 'CPU usage of the machine, as a fraction of all cores', 'cpu', 1],
  ['engine_cpu_usage_ratio', 'CPU usage of the media engine, as a fraction of one core', 'engineCpu', 1],
  ['memory_usage_ratio', 'Memory usage of the machine, as a fraction', 'memory', 1],
];

/** Metrics as text for Prometheus. The library is loaded on first use. */
async function writeMetrics({ version, startedAtMs, health, alerts, samples, programs }: Seen): Promise<string> {
  const { Gauge, Registry } = await import('prom-client');
  const registry = new Registry();
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `weir_${name}`, help, labelNames, registers: [registry] });

  gauge('build_info', 'Running version', ['version']).set({ version }, 1);
  gauge('start_time_seconds', 'Start time of the control server, as a Unix timestamp').set(startedAtMs / 1000);
  gauge('engine_up', 'Whether the media engine responds').set(health.engine.ok ? 1 : 0);
  gauge('disk_free_bytes', 'Free space on the disk of the data directory').set(health.disk.freeBytes);
  gauge('disk_size_bytes', 'Size of the disk of the data directory').set(health.disk.totalBytes);
  const listening = gauge('listener_up', 'Whether a protocol is served', ['protocol']);
  for (const { protocol, ready } of health.engine.listeners) listening.set({ protocol }, ready ? 1 : 0);
  if (health.certificate) {
    const expiry = gauge('certificate_expiry_timestamp_seconds', 'Expiry time of the certificate, as a Unix timestamp');
    expiry.set(Date.parse(health.certificate.expireAt) / 1000);
  }
  const alerting = gauge('alerts', 'Active alerts', ['kind', 'severity']);
  for (const { kind, severity } of alerts) alerting.inc({ kind, severity });
  if (programs.length > 0) {
    const labels = ['vhost', 'app', 'stream', 'input'];
    const onAir = gauge('program_on_air', 'Whether this input of a program is on air', labels);
    const good = gauge('program_input_good', 'Whether this input of a program can be on air', labels);
    for (const { vhost, app, stream, inputs, onAir: current } of programs) {
      for (const { id: input, state } of inputs) {
        onAir.set({ vhost, app, stream, input }, input === current ? 1 : 0);
        good.set({ vhost, app, stream, input }, state === 'good' ? 1 : 0);
      }
      onAir.set({ vhost, app, stream, input: 'slate' }, current === 'slate' ? 1 : 0);
    }
  }
  if (!samples) return registry.metrics();

  for (const [name, help, field, factor] of serverGauges) {
    const value = lastOf(samples.server, field);
    if (value !== undefined) gauge(name, help).set(value * factor);
  }
  const viewers = gauge('viewers', 'Viewers', ['protocol']);
  for (const protocol of playProtocols) viewers.set({ protocol }, lastOf(samples.server, protocol) ?? 0);
  const live = samples.streams.filter(({ isLive }) => isLive).slice(0, mostStreams);
  const labels = ['vhost', 'app', 'stream'];
  for (const [name, help, field, factor] of streamGauges) {
    const each = gauge(`stream_${name}`, help, labels);
    for (const { vhost, app, stream, samples: table } of live) {
      const value = lastOf(table, field);
      if (value !== undefined) each.set({ vhost, app, stream }, value * factor);
    }
  }
  const watching = gauge('stream_viewers', 'Viewers of a stream', [...labels, 'protocol']);
  for (const { vhost, app, stream, samples: table } of live) {
    for (const protocol of playProtocols) watching.set({ vhost, app, stream, protocol }, lastOf(table, protocol) ?? 0);
  }
  return registry.metrics();
}

function lastOf({ columns }: SampleTable, field: string): number | undefined {
  return columns[field]?.at(-1) ?? undefined;
}

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
    const [seen, samples, programs] = await Promise.all([
      observe(),
      mediaServer.latestSamples().catch(() => undefined),
      mediaServer.programs().catch(() => []),
    ]);
    return Buffer.from(await writeMetrics({ ...seen, samples, programs, version, startedAtMs }));
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

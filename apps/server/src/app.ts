import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openApiPath } from '@weir/contract';
import { type Boot, HiddenTexts, type LauncherLink, type Log, TaskGroup } from '@weir/plane';
import { Supervisor } from '@weir/process';
import { Events } from './core/events.ts';
import { anyMethod, HttpApp } from './core/http/http-app.ts';
import { StaticFiles } from './core/http/static-files.ts';
import { OutgoingClient } from './core/outgoing/outgoing-client.ts';
import { OutgoingMedia } from './core/outgoing/outgoing-media.ts';
import { OutgoingProxy } from './core/outgoing/outgoing-proxy.ts';
import { OutgoingRelay } from './core/outgoing/outgoing-relay.ts';
import { OwnNames } from './core/outgoing/own-names.ts';
import { keepDailyBackups } from './core/store/daily-backup.ts';
import { SqliteStore } from './core/store/sqlite-store.ts';
import type { Store } from './core/store/store.ts';
import { authRoutes, createAuthService } from './features/auth/auth-feature.ts';
import { brandingRoutes } from './features/branding/branding-feature.ts';
import { cameraRoutes } from './features/camera/camera-feature.ts';
import { certsRoutes, createCerts } from './features/certs/certs-feature.ts';
import { createCloud } from './features/cloud/cloud-feature.ts';
import { cloudRoutes } from './features/cloud/cloud-routes.ts';
import { consoleRoutes } from './features/console/console-feature.ts';
import { contactRoutes } from './features/contact/contact-feature.ts';
import { FirstStepsService } from './features/first-steps/first-steps.ts';
import { forwardRoutes } from './features/forward/forward-feature.ts';
import { hlsRoutes } from './features/hls/hls-feature.ts';
import { HlsService } from './features/hls/hls-service.ts';
import { createHooks, hooksRoutes } from './features/hooks/hooks-feature.ts';
import { limitsRoutes, readLimits } from './features/limits/limits-feature.ts';
import { llmRoutes } from './features/llm/llm-feature.ts';
import { LlmService } from './features/llm/llm-service.ts';
import { requestProvider } from './features/llm/provider-request.ts';
import { pagesRoutes } from './features/pages/pages-feature.ts';
import { MonthlyHours } from './features/platform/monthly-hours.ts';
import { platformRoutes } from './features/platform/platform-feature.ts';
import { PlatformSettings } from './features/platform/platform-settings.ts';
import { withinHours } from './features/platform/within-hours.ts';
import { createPublishAuth, publishAuthRoutes } from './features/publish-auth/publish-auth-feature.ts';
import { createRecord, recordRoutes } from './features/record/record-feature.ts';
import { srsApiRoutes } from './features/srs-api/srs-api-feature.ts';
import { srsHooksRoutes } from './features/srs-hooks/srs-hooks-feature.ts';
import { Publishers } from './features/streams/publishers.ts';
import { streamsRoutes } from './features/streams/streams-feature.ts';
import { componentsRoutes } from './features/system/components-feature.ts';
import { systemRoutes } from './features/system/system-feature.ts';
import { transcodeRoutes } from './features/transcode/transcode-feature.ts';
import { tutorialsRoutes } from './features/tutorials/tutorials-feature.ts';
import { TutorialsService } from './features/tutorials/tutorials-service.ts';
import { askBilibili } from './features/tutorials/video-site.ts';
import { vliveRoutes } from './features/vlive/vlive-feature.ts';
import { EmbeddedEngine } from './media-server/embedded-engine.ts';
import type { MediaServer } from './media-server/media-server.ts';
import { watchMediaServer } from './media-server/watch-media-server.ts';
import { Destinations } from './outlets/destinations.ts';
import { LiveInputs } from './outlets/live-inputs.ts';
import { OwnDoors } from './outlets/own-doors.ts';
import { OwnSources } from './outlets/own-sources.ts';
import { processRoutes } from './processes/process-routes.ts';
import { SegmentFeed } from './segments/segment-feed.ts';
import { SegmentSpool } from './segments/segment-spool.ts';
import { Sources } from './sources/sources.ts';
import { sourcesRoutes } from './sources/sources-routes.ts';
import { sweepSources } from './sources/sweep-sources.ts';
import { UploadQueue } from './uploads/upload-queue.ts';

const consoleDirectory = join(import.meta.dirname, '../../web/dist');

export interface App {
  readonly http: HttpApp;
  /** Lets somebody on another machine set this server up; undefined once it is. */
  setupCode(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Puts the control plane together. The only file that knows every feature. */
export async function createApp(
  boot: Boot,
  log: Log,
  // Tests hand in their own of these; everything else is what runs.
  {
    launcher,
    store = new SqliteStore(join(boot.config.dataDir, 'weir.db'), log),
    mediaServer = new EmbeddedEngine(boot.sockets.engine),
    events = new Events(log),
    hidden = new HiddenTexts(),
  }: {
    launcher: LauncherLink;
    store?: Store;
    mediaServer?: MediaServer;
    events?: Events;
    hidden?: HiddenTexts;
  },
): Promise<App> {
  const { config } = boot;
  const tasks = new TaskGroup(log);
  const auth = createAuthService({ store, log, config });
  const http = new HttpApp(log, auth);
  const publishAuth = createPublishAuth({
    store,
    log,
    events,
    tellSecret: (secret) => {
      hidden.set([secret]);
      return mediaServer.applySettings({ hidden: [secret] });
    },
  });
  const publishers = new Publishers(events);
  const hls = new HlsService({ store, mediaServer });
  const outgoing = new OutgoingClient();
  const hooks = createHooks({ store, log, events, outgoing });
  const certificates = await createCerts({ config, store, log });
  const platform = new PlatformSettings(store);
  const hours = new MonthlyHours(store);
  const supervisor = new Supervisor({ log });
  const { ownToken } = boot;
  const doors = new OwnDoors({ config, mediaServer });
  const inputs = new LiveInputs({ events, mediaServer, doors, ownToken, srtPassphrase: config.srtPassphrase });
  const proxy = new OutgoingProxy();
  const relay = new OutgoingRelay();
  const own = new OwnSources({ doors, inputs, ownToken, waitMs: config.playWaitMs });
  const media = new OutgoingMedia({ proxy, relay, own, names: new OwnNames(store) });
  const destinations = new Destinations({ media, inputs });
  const sources = new Sources({ store, log, proxy, media, dataDir: config.dataDir, ...config.sources });
  const segments = new SegmentFeed(new SegmentSpool(join(config.dataDir, 'segments'), log), log);
  events.on('segment:finished', (segment) => segments.tell(segment));
  const linkKey = () => auth.keyFor('recording links');
  const { dataDir } = config;
  const uploads = new UploadQueue({ directory: join(dataDir, 'uploads'), store, outgoing, log });
  const record = createRecord({ dataDir, store, events, segments, uploads, outgoing, linkKey, log });
  const cloud = createCloud({ dataDir, store, segments, uploads, outgoing, log });

  authRoutes(http, auth);
  componentsRoutes(http, { config, log, mediaServer, launcher });
  contactRoutes(http, store);
  brandingRoutes(http, store);
  publishAuthRoutes(http, publishAuth);
  srsHooksRoutes(http, {
    hookToken: boot.hookToken,
    dataDir: config.dataDir,
    events,
    publishAuth: withinHours(publishAuth, hours),
    callbacks: hooks,
    publishers,
  });
  hooksRoutes(http, hooks.service);
  streamsRoutes(http, { mediaServer, events, ownWork: inputs, previewKey: ownToken });
  hlsRoutes(http, hls);
  certsRoutes(http, certificates);
  limitsRoutes(http, store);
  llmRoutes(http, new LlmService({ store, request: requestProvider(outgoing), log: log.child({ feature: 'llm' }) }));
  platformRoutes(http, { settings: platform, hours });
  const transcode = transcodeRoutes(http, { store, inputs, destinations, supervisor, publishAuth });
  processRoutes(http, supervisor);
  const forward = forwardRoutes(http, { store, inputs, destinations, supervisor, limit: config.slots.forward });
  sourcesRoutes(http, sources);
  const vlive = vliveRoutes(http, {
    ...{ store, sources, inputs, destinations, supervisor, publishAuth, limit: config.slots.vLive },
    limitKbps: async () => (await readLimits(store)).vlive,
  });
  const camera = cameraRoutes(http, {
    ...{ store, sources, inputs, destinations, supervisor, publishAuth, limit: config.slots.camera },
    limitKbps: async () => (await readLimits(store)).camera,
  });
  tutorialsRoutes(
    http,
    new TutorialsService({ store, ask: askBilibili(outgoing), log: log.child({ feature: 'tutorials' }) }),
  );
  recordRoutes(http, record);
  cloudRoutes(http, cloud.service);
  systemRoutes(http, {
    ...{ config, store, mediaServer, signIn: auth, upgrades: platform },
    steps: new FirstStepsService({
      ...{ store, events },
      sendsOn: async () => (await forward.outlets.list()).some(({ enabled }) => enabled),
      records: () => record.isUsed(),
    }),
    work: [forward, vlive, camera, transcode, record, cloud, hooks.service],
  });
  srsApiRoutes(http, mediaServer);
  openApiRoute(http, config.version);
  const files = existsSync(consoleDirectory) ? await StaticFiles.list(consoleDirectory) : undefined;
  consoleRoutes(http, files);
  pagesRoutes(http, files);
  await http.fastify.ready();
  // Before the engine is heard: what waited comes before what is new.
  await segments.scan();

  tasks.spawn('daily-backup', (signal) => keepDailyBackups(store, join(config.dataDir, 'backup'), log, signal));
  tasks.spawn('sweep-sources', (signal) => sweepSources(sources, log, signal));
  tasks.spawn('segments', (signal) => segments.run(signal));
  tasks.spawn('recordings', (signal) => record.watch(signal));
  tasks.spawn('finish-recordings', (signal) => record.finish(signal));
  tasks.spawn('cloud-recordings', (signal) => cloud.run(signal));
  tasks.spawn('uploads', (signal) => uploads.run(signal));
  tasks.spawn('callbacks', (signal) => hooks.run(signal));
  tasks.spawn('renew-certificate', (signal) => certificates.certs.keepRenewed(signal));
  tasks.spawn('watch-media-server', (signal) =>
    watchMediaServer(
      {
        mediaServer,
        log,
        onStarted: async () => void (await Promise.all([publishAuth.push(), hls.push()])),
        onRound: (list) =>
          publishers.reconcile(async () => {
            const live = await list();
            await hours.count(live);
            return live;
          }),
      },
      signal,
    ),
  );

  return {
    http,
    setupCode: () => auth.setupCode(),
    async close() {
      // Else whoever waits for a certificate would keep the server from stopping.
      certificates.certs.giveUp('the server was stopped');
      await http.fastify.close();
      await tasks.close();
      await supervisor.close();
      await sources.close();
      await proxy.close();
      await relay.close();
      await hours.save().catch((error: unknown) => log.warn({ err: error }, 'the last minute was not counted'));
      await store.close();
    },
  };
}

function openApiRoute(http: HttpApp, version: string): void {
  http.fastify.route({
    method: anyMethod,
    url: openApiPath,
    handler: async (_request, reply) => {
      // Loaded by the first reader: most servers never have one.
      const { openApiDocument } = await import('@weir/contract/openapi');
      return reply.header('content-type', 'application/json').send(JSON.stringify(openApiDocument(version)));
    },
  });
}

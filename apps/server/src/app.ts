import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Boot, type Log, TaskGroup } from '@weir/plane';
import { createContext, type Overrides } from './context.ts';
import { HttpApp } from './core/http/http-app.ts';
import { StaticFiles } from './core/http/static-files.ts';
import type { Feature } from './feature.ts';
import { accessFeature } from './features/access/access-feature.ts';
import { authFeature } from './features/auth/auth-feature.ts';
import { backupFeature } from './features/backup/backup-feature.ts';
import { brandingFeature } from './features/branding/branding-feature.ts';
import { cameraFeature } from './features/camera/camera-feature.ts';
import { certsFeature } from './features/certs/certs-feature.ts';
import { cloudFeature } from './features/cloud/cloud-feature.ts';
import { consoleFeature } from './features/console/console-feature.ts';
import { contactFeature } from './features/contact/contact-feature.ts';
import { docsFeature } from './features/docs/docs-feature.ts';
import { doctorFeature } from './features/doctor/doctor-feature.ts';
import { dubbingFeature } from './features/dubbing/dubbing-feature.ts';
import { edgesFeature } from './features/edges/edges-feature.ts';
import { eventsFeature } from './features/events/events-feature.ts';
import { forwardFeature } from './features/forward/forward-feature.ts';
import { hlsFeature } from './features/hls/hls-feature.ts';
import { hooksFeature } from './features/hooks/hooks-feature.ts';
import { ladderFeature } from './features/ladder/ladder-feature.ts';
import { limitsFeature } from './features/limits/limits-feature.ts';
import { llmFeature } from './features/llm/llm-feature.ts';
import { measurementsFeature } from './features/measurements/measurements-feature.ts';
import { metricsFeature } from './features/metrics/metrics-feature.ts';
import { notificationsFeature } from './features/notifications/notifications-feature.ts';
import { ocrFeature } from './features/ocr/ocr-feature.ts';
import { openapiFeature } from './features/openapi/openapi-feature.ts';
import { overviewFeature } from './features/overview/overview-feature.ts';
import { pagesFeature } from './features/pages/pages-feature.ts';
import { platformFeature } from './features/platform/platform-feature.ts';
import { processesFeature } from './features/processes/processes-feature.ts';
import { programFeature } from './features/program/program-feature.ts';
import { demoPublishers } from './features/publish-auth/demo-publishers.ts';
import { publishAuthFeature } from './features/publish-auth/publish-auth-feature.ts';
import { showsSecret } from './features/publish-auth/publish-auth-rule.ts';
import { recordFeature } from './features/record/record-feature.ts';
import { rewindFeature } from './features/rewind/rewind-feature.ts';
import { roomsFeature } from './features/rooms/rooms-feature.ts';
import { sourcesFeature } from './features/sources/sources-feature.ts';
import { srsApiFeature } from './features/srs-api/srs-api-feature.ts';
import { srsHooksFeature } from './features/srs-hooks/srs-hooks-feature.ts';
import { streamsFeature } from './features/streams/streams-feature.ts';
import { componentsFeature } from './features/system/components-feature.ts';
import { systemFeature } from './features/system/system-feature.ts';
import { talkFeature } from './features/talk/talk-feature.ts';
import { timelineFeature } from './features/timeline/timeline-feature.ts';
import { transcodeFeature } from './features/transcode/transcode-feature.ts';
import { transcriptFeature } from './features/transcript/transcript-feature.ts';
import { transcriptSearchFeature } from './features/transcript-search/transcript-search-feature.ts';
import { tutorialsFeature } from './features/tutorials/tutorials-feature.ts';
import { updatesFeature } from './features/updates/updates-feature.ts';
import { vliveFeature } from './features/vlive/vlive-feature.ts';
import { watchFeature } from './features/watch/watch-feature.ts';
import { srsHookParts } from './media-server/srs/srs-hook-parts.ts';

const consoleDirectory = join(import.meta.dirname, '../../web/dist');

interface App {
  readonly http: HttpApp;
  /** Setup code for another machine; undefined once the server is set up. */
  setupCode(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Puts the control plane together. The only file that knows every feature. */
export async function createApp(boot: Boot, log: Log, given: Overrides): Promise<App> {
  const { launcher } = given;
  launcher.waitsFor('the database');
  const context = await createContext(boot, log, given);
  const { config, inputs, segments, sources, supervisor, uploads } = context;
  const { slots } = config;
  launcher.waitsFor('settings and files of its features');
  const files = existsSync(consoleDirectory) ? await StaticFiles.list(consoleDirectory) : undefined;

  // Features whose services other features need.
  const auth = authFeature(context);
  const edges = edgesFeature(context);
  const platform = platformFeature({ ...context, edges: edges.service });
  const hls = hlsFeature(context);
  const limits = limitsFeature(context);
  const rooms = roomsFeature({ ...context, announceSecrets: () => publishAuth.push() });
  const program = programFeature({ ...context, showsSecret, announceSecrets: () => publishAuth.push() });
  const publishAuthPart = publishAuthFeature({
    ...context,
    rooms: rooms.service,
    moreSecrets: program.secrets,
  });
  const publishAuth: typeof publishAuthPart.service = publishAuthPart.service;
  const hooks = hooksFeature(context);
  const access = accessFeature({ ...context, callbacks: hooks });
  const streams = streamsFeature({
    ...context,
    ownWork: inputs,
    previewKey: boot.ownToken,
    keyOf: (publisher) => publishAuthPart.keys.nameOf(publisher),
    hours: platform.hours,
    judged: () => measurements.judged(),
    sendSettings: async () => {
      await Promise.all([segments.push(), ...features.map(({ engineSettings }) => engineSettings?.())]);
    },
  });
  const measurements: ReturnType<typeof measurementsFeature> = measurementsFeature({
    ...context,
    streams: streams.service,
  });
  const forward = forwardFeature({ ...context, limit: slots.forward });
  const rewind = rewindFeature(context);
  const record = recordFeature({
    ...context,
    windows: rewind.windows,
    linkKey: () => auth.service.keyFor('recording links'),
  });
  const transcode = transcodeFeature({ ...context, publishAuth });
  const ladder = ladderFeature({ ...context, ownToken: boot.ownToken });
  const vlive = vliveFeature({
    ...context,
    publishAuth,
    limits: { slots: slots.vLive, kbps: () => limits.limitKbps('vlive') },
  });
  const camera = cameraFeature({
    ...context,
    publishAuth,
    limits: { slots: slots.camera, kbps: () => limits.limitKbps('camera') },
  });
  const backup = backupFeature(context);
  const work: readonly Feature[] = [
    backup,
    program,
    llmFeature({ ...context, otherProviders: () => rooms.service.providers() }),
    forward,
    vlive,
    camera,
    transcode,
    ladder,
    rewind,
    record,
    cloudFeature(context),
    await talkFeature({ ...context, rooms: rooms.service }),
    transcriptFeature({ ...context, access: access.viewing }),
    dubbingFeature({ ...context, linkKey: () => auth.service.keyFor('dubbing players') }),
    ocrFeature({ ...context, callbacks: hooks, linkKey: () => auth.service.keyFor('ocr images') }),
    hooks,
  ];

  const updates = updatesFeature({ ...context, upgrades: platform.settings });
  const system = systemFeature({
    ...context,
    work: [...work, measurements, updates],
    signIn: auth.service,
    upgrades: platform.settings,
    updates: updates.service,
    sendsOn: async () => (await forward.service.outlets.list()).some(({ enabled }) => enabled),
    records: () => record.isUsed(),
  });
  const branding = brandingFeature(context);
  const overview = overviewFeature({
    ...context,
    streams: streams.service,
    measurements,
    forward: forward.service,
    record,
  });
  const features: readonly Feature[] = [
    auth,
    edges,
    platform,
    hls,
    limits,
    rooms,
    publishAuthPart,
    access,
    streams,
    ...work,
    await certsFeature(context),
    branding,
    componentsFeature(context),
    consoleFeature({ ...context, files }),
    contactFeature(context),
    docsFeature({ files }),
    doctorFeature({ ...context, ownToken: boot.ownToken, encoders: ladder.encoders, ffmpeg: system.ffmpeg }),
    measurements,
    metricsFeature({ ...context, observe: system.observe }),
    notificationsFeature({ ...context, diagnose: system.diagnose }),
    openapiFeature(context),
    overview,
    watchFeature({
      ...context,
      access: access.viewing,
      streams: { find: (place) => streams.service.find(place), rewindable: rewind.rewindable },
      branding: branding.service,
      thumbnail: overview.thumbnail,
      files,
    }),
    pagesFeature({ files }),
    processesFeature(context),
    sourcesFeature(context),
    timelineFeature({
      ...context,
      streams: streams.service,
      measurements,
      recordings: { has: record.has },
      reporters: () => ({ forward, vlive, camera, program, record, transcode, ladder, hls, callbacks: hooks, limits }),
      server: system.describe,
    }),
    srsApiFeature(context),
    srsHooksFeature({
      ...context,
      ...(config.srs && { srs: await srsHookParts(context, config.srs) }),
      hookToken: boot.hookToken,
      publishAuth: platform.withinHours(
        config.demoKey === '' ? publishAuth : demoPublishers(publishAuth, config.demoKey),
      ),
      streamKeys: publishAuthPart.keys,
      callbacks: hooks,
      programs: program.hooks,
      access: access.hooks,
      publishers: streams.publishers,
    }),
    eventsFeature({
      ...context,
      streams: streams.service,
      describePrograms: program.describe,
      recordings: record,
      diagnose: system.diagnose,
      activities: system.activities,
    }),
    system,
    tutorialsFeature(context),
    updates,
    transcriptSearchFeature(context),
  ];

  for (const feature of features) {
    if (feature.outputs) inputs.registerOutputs(feature.outputs);
    if (feature.heldSources) sources.registerHolder(feature.heldSources);
    for (const consumer of feature.segments ?? []) segments.add(consumer);
    for (const [name, owner] of Object.entries(feature.uploads ?? {})) uploads.registerOwner(name, owner);
  }
  const http = new HttpApp(log, auth.service, config.demoKey);
  for (const { routes } of features) routes(http);
  await http.fastify.ready();
  // Before the engine is heard: what waited comes before what is new.
  launcher.waitsFor('a scan of segments on the disk');
  await segments.scan();
  const tasks = new TaskGroup(log);
  for (const part of [context, ...features]) {
    for (const [name, task] of Object.entries(part.tasks ?? {})) tasks.spawn(name, task);
  }

  return {
    http,
    setupCode: () => auth.service.setupCode(),
    async close() {
      // At once: one after the other, a call that hangs and a child that is slow to end would take longer than a plane may.
      await Promise.all([http.close(), tasks.close().then(() => supervisor.close())]);
      for (const { close } of features.toReversed()) await close?.();
      await context.close();
    },
  };
}

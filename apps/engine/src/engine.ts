import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { done, engineApi, rewindFolder, slateFolder } from '@weir/engine-api';
import { type Boot, type LauncherLink, type Log, LogRateLimiter, type RunningPlane, SecretRedactor } from '@weir/plane';
import { type SegmentFormatName, segmentFormatNames, streamKey } from '@weir/streams';
import { HookGate } from './api/hook-gate.ts';
import { createIdentity } from './api/identity.ts';
import { Machine } from './api/machine.ts';
import { PrivateApi } from './api/private-api.ts';
import { serveKeyframes } from './api/serve-keyframes.ts';
import { servePrograms } from './api/serve-programs.ts';
import { serveSamples } from './api/serve-samples.ts';
import { serveSubtitles } from './api/serve-subtitles.ts';
import { SpoolWriter } from './api/spool-writer.ts';
import { SrsApi } from './api/srs-api.ts';
import { SharedMemory } from './delivery/shared-memory.ts';
import { FrontDoor } from './front-door/front-door.ts';
import { findMediaKind } from './front-door/media-path.ts';
import type { Exchange } from './http/exchange.ts';
import { notPublished } from './http/failures.ts';
import { AccessGate } from './hub/access-gate.ts';
import { Admission } from './hub/clients/admission.ts';
import { MemoryGate } from './hub/clients/memory-gate.ts';
import { Hub } from './hub/hub.ts';
import { Ladders } from './hub/ladder/ladders.ts';
import { PlayerViews } from './hub/player-views/player-views.ts';
import { isInputPlace } from './hub/program/input-place.ts';
import { Programs } from './hub/program/programs.ts';
import { Slates } from './hub/program/slate/slates.ts';
import { Sampler } from './hub/samples/sampler.ts';
import { HlsStreams } from './packagers/hls/hls-streams.ts';
import { CueServer } from './servers/cues/cue-server.ts';
import { HlsServer } from './servers/hls/hls-server.ts';
import { HttpFlvServer } from './servers/http-flv/http-flv-server.ts';
import type { ProtocolServer } from './servers/protocol-server.ts';
import { RtmpServer } from './servers/rtmp/rtmp-server.ts';
import { SrtServer } from './servers/srt/srt-server.ts';
import { WebRtcServer } from './servers/webrtc/webrtc-server.ts';
import { DeliveryPool } from './workers/delivery/delivery-pool.ts';

/** Viewers and numbering wait this long for a publisher to return. */
const returnMs = 15_000;

/** Memory for HLS segments that are on disk, too, and its share of all memory. */
const mostCacheBytes = 512 * 1024 * 1024;
const cacheShare = 1 / 8;

/** Composition root of the media plane. */
export async function startEngine(
  { config, sockets, hookToken, ownToken }: Boot,
  log: Log,
  launcher?: LauncherLink,
  hidden: SecretRedactor = new SecretRedactor(),
): Promise<RunningPlane> {
  const identity = createIdentity();
  const spool = new SpoolWriter(join(config.dataDir, 'segments'), log);
  const hooks = new HookGate({ socketPath: sockets.server, token: hookToken, identity, spool, log });
  const machine = new Machine();
  const memory = new SharedMemory(log);
  const playerViews = new PlayerViews({ log });
  const faults = new LogRateLimiter({ each: 1, all: 20, windowMs: 60_000 });
  const hub: Hub = new Hub({
    returnMs,
    onOpened: (stream) => {
      void memory.open();
      // Inputs of programs are not watched, and a package of each would cost more than receiving them.
      if (!isInputPlace(stream.place)) hlsStreams.follow(playerViews.of(stream, 'classic'), stream);
    },
    onFault: ({ key }, error) => {
      const more = faults.pass(key);
      if (more !== undefined) log.error({ err: error, stream: key, more }, 'some published media was skipped');
    },
  });
  const access = new AccessGate({ gate: hooks, ask: (watcher) => hooks.mayPlay(watcher), clients: hub.clients });
  const gate = new MemoryGate({
    gate: access,
    clients: hub.clients,
    isKnown: (place) => hub.find(place) !== undefined,
    memory: () => machine.memoryUse(config.memoryLimitBytes, memory.bytes),
    release: () => {
      hlsStreams.pieces.halve();
      collectGarbage();
    },
    log,
  });
  const hlsStreams = new HlsStreams({
    gate,
    cacheBytes: Math.min(mostCacheBytes, memoryBytes(config.memoryLimitBytes) * cacheShare),
    memory,
    settings: { noHlsCtx: false, shortSegments: false },
    directory: join(config.dataDir, 'hls'),
    log: log.child({ protocol: 'hls' }),
  });
  const wantSegments = (formats: readonly SegmentFormatName[]) => {
    hooks.wantedFormats = formats;
    hlsStreams.record(formats);
  };
  // Until the control plane says what it needs, nothing may be lost.
  wantSegments(segmentFormatNames);
  const hls = new HlsServer({
    streams: hlsStreams,
    gate,
    access,
    clients: hub.clients,
    ownToken,
    rewindDirectory: join(config.filesDir, rewindFolder),
  });
  const slates = new Slates({ log: log.child({ part: 'slates' }), directory: join(config.dataDir, slateFolder) });
  const programs = new Programs({
    hub,
    slates,
    log: log.child({ part: 'programs' }),
    viewOf: (stream) => playerViews.of(stream, 'classic'),
    conversions: (place) => playerViews.conversions(streamKey(place), 'conform'),
    browserViewOf: (stream) => playerViews.of(stream, 'webrtc'),
    hlsEndsOf: (place) => {
      const streamHls = hlsStreams.find(streamKey(place));
      return { segmentMs: streamHls?.main.endMs ?? 0, partMs: streamHls?.parts?.endMs ?? 0 };
    },
    onBegan: (info) => hooks.programBegan(info),
    onEnded: (info) => gate.unpublish(info, 'closed'),
    onSwitch: ({ vhost, app, name: stream }, { from: fromId, to: toId, ...change }) =>
      hooks.programSwitched({ vhost, app, stream, fromId, toId, ...change }),
  });
  const ladders = new Ladders({ hub, log: log.child({ part: 'ladders' }) });
  const admission = new Admission({
    hub,
    gate,
    access,
    programs,
    log,
    ownToken,
    hidden,
    waiting: { ms: config.playWaitMs },
  });
  const delivery = new DeliveryPool({
    most: config.deliveryWorkers.most,
    isByLoad: config.deliveryWorkers.isByLoad,
    memory,
    log: log.child({ part: 'delivery' }),
    logLevel: config.logLevel,
  });
  const flv = new HttpFlvServer({
    hub,
    access,
    admission,
    playerViews,
    memory,
    delivery,
    log: log.child({ protocol: 'flv' }),
  });
  const rtmp = new RtmpServer({
    listen: config.rtmp,
    admission,
    playerViews,
    memory,
    delivery,
    log: log.child({ protocol: 'rtmp' }),
  });
  const rtc = new WebRtcServer({
    admission,
    viewOf: (stream) => playerViews.of(stream, 'webrtc'),
    config,
    ownToken,
    log: log.child({ protocol: 'rtc' }),
    logLevel: config.logLevel,
  });
  const srt = new SrtServer({
    settings: {
      listen: config.srt,
      passphrase: config.srtPassphrase,
      library: config.srtLibrary,
      isFiltered: config.srtFilter,
      latencyMs: config.srtLatencyMs,
    },
    hub,
    admission,
    viewOf: (stream, quality) => playerViews.ofQuality(stream, quality),
    log: log.child({ protocol: 'srt' }),
    logLevel: config.logLevel,
  });
  const cues = new CueServer({ hub, access, ownToken });
  const servers: readonly ProtocolServer[] = [hls, flv, rtmp, rtc, srt, cues];
  const media = (exchange: Exchange) => {
    const kind = findMediaKind(exchange.url.split('?', 1)[0] ?? '');
    if (kind === 'flv') flv.serve(exchange);
    else if (kind === 'cues') cues.serve(exchange);
    else if (kind === 'hls') hls.serve(exchange);
    else exchange.fail(notPublished);
  };
  const frontDoor = new FrontDoor({
    config,
    controlSocket: sockets.server,
    log: log.child({ part: 'front-door' }),
    media,
    delivery,
    rtc: rtc.serve,
  });
  const listeners = () => [
    ...frontDoor.listeners(),
    ...servers.flatMap(({ listener, listeners = [] }) => (listeners.length > 0 ? listeners : (listener ?? []))),
  ];
  const srs = new SrsApi({ hub, playerViews, listeners, version: config.version });
  const sampler = new Sampler({ hub, machine: () => machine.shares() });
  const api = new PrivateApi({
    socketPath: sockets.engine,
    version: config.version,
    identity,
    health: () => ({
      listeners: listeners(),
      srtVersion: srt.libraryVersion,
      workerExits: [...rtc.exits, ...(srt.exits ? [srt.exits] : []), ...delivery.exits],
    }),
    srs: (request) => srs.answer(request),
  });
  api.serve(engineApi.settings, (settings) => {
    if (settings.hls) hlsStreams.update(settings.hls);
    if (settings.edgeToken !== undefined) hls.edges.set(settings.edgeToken);
    if (settings.hiddenTexts) hidden.set(settings.hiddenTexts);
    if (settings.segmentFormats) wantSegments(settings.segmentFormats);
    if (settings.segmentQualities) hooks.wantedQualities = settings.segmentQualities;
    if (settings.rewind) hls.rewind.set(settings.rewind);
    if (settings.playAccess) access.set(settings.playAccess);
    if (settings.programs) programs.set(settings.programs);
    if (settings.ladders) ladders.setPlans(settings.ladders);
    return done;
  });
  api.serve(engineApi.ladders, () => ({ ladders: ladders.statuses() }));
  api.serve(engineApi.linkViewers, () => access.linkViewers());
  serveSamples(api, hub, sampler);
  serveKeyframes(api, hub, programs);
  serveSubtitles(api, hub);
  servePrograms(api, hub, programs);

  const close = async () => {
    sampler.close();
    access.close();
    gate.close();
    programs.close();
    hub.close();
    const all = [...servers, frontDoor, api, hlsStreams, delivery];
    await Promise.all(all.map((each) => each.close()));
    await Promise.all([hooks.close(), playerViews.close(), ladders.close(), slates.close()]);
    memory.close();
  };
  try {
    // The private socket first: it tells whether another Weir has this data directory, before any port is taken.
    launcher?.waitsFor('its private socket');
    await api.open();
    launcher?.waitsFor('HLS segments on the disk');
    await hlsStreams.open();
    launcher?.waitsFor('its ports');
    await frontDoor.open();
    for (const server of servers) await server.open();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    facts: {
      httpPort: frontDoor.httpPort,
      httpsPort: frontDoor.httpsPort,
      extraHttpPort: frontDoor.extraHttpPort,
      rtmpPort: rtmp.listener.port,
      rtcPort: rtc.listener.port,
      srtPort: srt.listener.ready ? srt.listener.port : 0,
    },
    close,
  };
}

/** Memory that all processes may use. */
function memoryBytes(limitBytes = Number.POSITIVE_INFINITY): number {
  return Math.min(limitBytes, totalmem(), process.constrainedMemory() || totalmem());
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

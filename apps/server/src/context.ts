import { basename, join } from 'node:path';
import { type Boot, type LauncherLink, type Log, ownTicket, SecretRedactor } from '@weir/plane';
import { Supervisor } from '@weir/process';
import { createAi } from './ai/create-ai.ts';
import { finishRestore } from './backup/finish-restore.ts';
import { type Clock, systemClock } from './core/clock.ts';
import { Events } from './core/events.ts';
import { OutgoingMedia } from './core/outgoing/media/outgoing-media.ts';
import { OutgoingProxy } from './core/outgoing/media/outgoing-proxy.ts';
import { OutgoingRelay } from './core/outgoing/media/outgoing-relay.ts';
import { OwnNames } from './core/outgoing/own-names.ts';
import { OutgoingClient } from './core/outgoing/request/outgoing-client.ts';
import { dailyBackups } from './core/store/daily-backup.ts';
import { indexPlace } from './core/store/index-place.ts';
import { openStore } from './core/store/open-store.ts';
import type { Store } from './core/store/store.ts';
import { WatchedStore } from './core/store/watched-store.ts';
import type { Task } from './core/task.ts';
import type { PairView } from './leader-election/pair-view.ts';
import { createMediaServer } from './media-server/create-media-server.ts';
import type { MediaServer } from './media-server/media-server.ts';
import { Sources } from './media-sources/sources.ts';
import { Destinations } from './outlets/destinations.ts';
import { IntendedSilence } from './outlets/intended-silence.ts';
import { LiveInputs } from './outlets/live-inputs.ts';
import { OwnEndpoints } from './outlets/own-endpoints.ts';
import { OwnSources } from './outlets/own-sources.ts';
import { SegmentFeed } from './segments/segment-feed.ts';
import { SegmentSpool } from './segments/segment-spool.ts';
import { InterimPace } from './speech/interim/interim-pace.ts';
import { Timeline } from './timeline-store/timeline.ts';
import { TranscriptIndex } from './transcript-index/transcript-index.ts';
import { UploadQueue } from './uploads/upload-queue.ts';

/** The process of built-in AI lies beside us and runs in the form we run in: the source as it is, or one file made of it. */
const aiEntry = join(
  import.meta.dirname,
  '../../ai',
  basename(import.meta.dirname),
  import.meta.filename.endsWith('.ts') ? 'main.ts' : 'main.cjs',
);

/** External dependencies. Tests override them; the rest is the production default. */
export interface Overrides {
  readonly launcher: LauncherLink;
  readonly store?: Store;
  readonly mediaServer?: MediaServer;
  readonly events?: Events;
  readonly hidden?: SecretRedactor;
  readonly clock?: Clock;
  /** Other servers on the same store, of which this one leads. */
  readonly pair?: PairView;
  /** Cost of password hashing, lowered in tests that set up hundreds of servers. */
  readonly hashCost?: { readonly N: number; readonly r: number; readonly p: number };
}

/** The mechanisms of the control plane, which features are given parts of. */
export async function createContext(boot: Boot, log: Log, given: Overrides) {
  const { config, ownToken } = boot;
  const { dataDir, filesDir } = config;
  const { launcher, clock = systemClock, hidden = new SecretRedactor(), events = new Events(log) } = given;
  const { pair } = given;
  launcher.waitsFor('the restore of a backup');
  await finishRestore({ config, log, clock });
  launcher.waitsFor('the database');
  const places = {
    words: await indexPlace(config, 'words.db', { log, pair }),
    timelines: await indexPlace(config, 'timeline.db', { log, pair }),
  };
  const { mediaServer = createMediaServer(boot, clock) } = given;
  const store = new WatchedStore(given.store ?? openStore(config, log, clock));
  const outgoing = new OutgoingClient();
  const proxy = new OutgoingProxy();
  const relay = new OutgoingRelay();
  const ticketed = (text: string) => text.replaceAll(ownToken, ownTicket(ownToken, clock.dateMs()));
  const supervisor = new Supervisor({ log, ...(ownToken !== '' && { exchange: ticketed }) });
  // Changes in mechanisms that features listen to.
  supervisor.onChange((change) => events.emit('process:changed', change));
  store.onWrite((collection) => events.emit('store:written', { collection }));
  const doors = new OwnEndpoints({ config, mediaServer });
  const inputs = new LiveInputs({ events, mediaServer, doors, ownToken, clock, srtPassphrase: config.srtPassphrase });
  const silence = new IntendedSilence({ inputs, clock });
  const own = new OwnSources({ doors, inputs, ownToken, clock, waitMs: config.playWaitMs });
  const media = new OutgoingMedia({ proxy, relay, own, names: new OwnNames(store, clock) });
  const destinations = new Destinations({ media, inputs });
  const sources = new Sources({ store, log, clock, proxy, media, dataDir: filesDir, ...config.sources });
  const spool = new SegmentSpool(join(dataDir, 'segments'), log, clock);
  const segments = new SegmentFeed({ mediaServer, log, clock, spool });
  const uploads = new UploadQueue({ directory: join(filesDir, 'uploads'), store, outgoing, log, clock });
  const words = new TranscriptIndex({ place: places.words, log, clock });
  const onWritten = () => events.emit('timeline:changed', null);
  const timeline = new Timeline({ place: places.timelines, hidden, log, clock, onWritten });
  const ai = createAi({ boot, entry: aiEntry, store, outgoing, hidden, log, clock });
  const pace = new InterimPace(clock);
  const tasks: Readonly<Record<string, Task>> = {
    'daily-backup': dailyBackups(join(dataDir, 'backup'), { store, log, clock }),
    segments: (signal) => segments.run(signal),
    uploads: (signal) => uploads.run(signal),
    ...ai.tasks,
  };
  return {
    config,
    launcher,
    log,
    clock,
    hidden,
    events,
    store,
    mediaServer,
    outgoing,
    supervisor,
    pair,
    hashCost: given.hashCost,
    inputs,
    silence,
    destinations,
    sources,
    spool,
    segments,
    uploads,
    words,
    pace,
    timeline,
    ...ai.offers,
    tasks,
    /** Once features have let go of them. */
    async close(): Promise<void> {
      await ai.close();
      await proxy.close();
      await relay.close();
      words.close();
      timeline.close();
      await store.close();
    },
  };
}

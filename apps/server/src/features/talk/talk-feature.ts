import { join } from 'node:path';
import { talkLimits } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Ai } from '../../ai/ai.ts';
import type { Clock } from '../../core/clock.ts';
import type { Feature } from '../../core/feature.ts';
import type { Store } from '../../core/store/store.ts';
import type { InterimPace } from '../../speech/interim/interim-pace.ts';
import { audioRoutes } from './audio-routes.ts';
import { CallRate } from './call-rate.ts';
import { RoomMeter } from './room-meter.ts';
import type { Stage } from './stage/stage.ts';
import { StageFiles } from './stage/stage-files.ts';
import { Stages } from './stage/stages.ts';
import { TalkAccess, type TalkRooms } from './talk-access.ts';
import { talkRoutes } from './talk-routes.ts';
import { TalkService } from './talk-service.ts';
import { Understanding } from './understanding.ts';
import { Answerer } from './voice/answerer.ts';
import { Hearing } from './voice/hearing.ts';
import { HelloVoices } from './voice/hello-voices.ts';

interface Context {
  readonly config: { readonly dataDir: string };
  readonly store: Store;
  readonly ai: Ai;
  readonly rooms: TalkRooms;
  readonly clock: Clock;
  readonly pace: InterimPace;
  readonly log: Log;
}

/** Interval of writes; a killed process loses at most this much. */
const tendMs = 1000;

/** Guests of live rooms talk to an assistant. */
export async function talkFeature({ config, store, ai, rooms, clock, pace, ...context }: Context): Promise<Feature> {
  const log = context.log.child({ feature: 'talk' });
  const directory = join(config.dataDir, 'talk');
  const stages = new Stages(clock);
  const access = new TalkAccess({ rooms, stages, clock });
  const answerer = new Answerer({ ai, clock, log });
  const hearing = new Hearing({ ai, directory, clock, pace });
  const meter = new RoomMeter({ store, clock });
  const { roomCallsPerMinute, addressCallsPerMinute, roomLooksPerMinute, addressLooksPerMinute } = talkLimits;
  const understanding = new Understanding({
    hearing,
    meter,
    rate: new CallRate(clock, { room: roomCallsPerMinute, network: addressCallsPerMinute }),
    looks: new CallRate(clock, { room: roomLooksPerMinute, network: addressLooksPerMinute }),
  });
  const service = new TalkService({ understanding, answerer, clock, log });
  // Guests admitted under former settings are removed.
  rooms.onRoom((uuid, room) => {
    meter.changed(uuid, room);
    const stage = stages.ofRoom(uuid);
    const isOpen = room?.assistant === true && room.roomToken === stage?.roomToken;
    if (stage && !isOpen) stages.close(stage);
  });
  const files = new StageFiles({ directory, stages, clock, log, rooms });
  await files.load();
  for (const stage of stages.all()) service.resume(stage, await rooms.get(stage.roomId));
  let isWritten = true;
  const tend = async () => {
    stages.sweep();
    const done = await Promise.allSettled([meter.flush(), files.save()]);
    const failed = done.find((one) => one.status === 'rejected');
    if (failed && isWritten) log.warn({ err: failed.reason }, 'conversations could not be saved, trying again');
    isWritten = failed === undefined;
  };
  const hello = new HelloVoices({ ai, directory, clock, log });
  return {
    routes: (http) => {
      const keep = (stage: Stage) => files.keep(stage);
      talkRoutes(http, { access, rooms, stages, service, hello, meter, clock, keep });
      audioRoutes(http, { access, hello, clock });
    },
    tasks: {
      talk: async (signal) => {
        while (!signal.aborted) {
          await clock.pause(tendMs, signal).catch(() => undefined);
          await tend();
        }
      },
    },
    alerts: () => meter.alerts(),
    close: async () => {
      await tend();
      stages.closeAll();
      hello.close();
    },
  };
}

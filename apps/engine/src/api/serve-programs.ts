import { engineApi, type ProgramStatus } from '@weir/engine-api';
import type { AudioConfig, VideoConfig } from '@weir/media';
import type { StreamPlace, WirePlace } from '@weir/streams';
import type { Hub } from '../hub/hub.ts';
import type { Program } from '../hub/program/program.ts';
import type { InputFacts } from '../hub/program/program-input.ts';
import type { Programs } from '../hub/program/programs.ts';
import type { PrivateApi } from './private-api.ts';
import { kbps } from './srs-streams.ts';

/** Serves programs to the control plane: what they do, and what an operator wants of them. */
export function servePrograms(api: Pick<PrivateApi, 'serve'>, hub: Hub, programs: Programs): void {
  api.serve(engineApi.programs, () => ({ programs: programs.all().map((program) => statusOf(program, hub)) }));
  api.serve(engineApi.switchProgram, ({ input, ...place }) => {
    const program = programs.find(placeOf(place));
    return program && { refusal: program.switchTo(input) ?? '' };
  });
  api.serve(engineApi.rehearseProgram, ({ input, forMs, ...place }) => {
    return programs.find(placeOf(place))?.rehearse(input, forMs) ? {} : undefined;
  });
}

function placeOf({ vhost, app, stream }: WirePlace): StreamPlace {
  return { vhost, app, name: stream };
}

function statusOf(program: Program, hub: Hub): ProgramStatus {
  const { place, onAir, onAirSinceMs, armed, isHeld, switches } = program;
  return {
    vhost: place.vhost,
    app: place.app,
    stream: place.name,
    onAir,
    onAirAtMs: onAir === '' ? 0 : Math.round(Date.now() - (performance.now() - onAirSinceMs)),
    armed,
    isHeld,
    inputs: program.facts().map((facts) => inputStatus(facts, program, hub, program.placeOf(facts.id))),
    switches: switches.map(({ from: fromId, to: toId, ...change }) => ({ fromId, toId, ...change })),
  };
}

function inputStatus(facts: InputFacts, program: Program, hub: Hub, place: StreamPlace | undefined) {
  const { id, state, fit, silentMs, goodMs } = facts;
  const input = program.inputs.find((one) => one.id === id);
  const stream = place && hub.find(place);
  const isLive = stream?.isLive ?? false;
  return {
    id,
    state,
    fit,
    silentMs: state === 'absent' || state === 'starting' ? 0 : Math.max(0, Math.round(silentMs)),
    goodMs: Math.round(goodMs),
    kbps: isLive && stream ? kbps(stream.stats.bytesIn.perSecond(5)) : 0,
    fps: isLive && stream ? Math.round(stream.stats.videoFrames.perSecond(5) * 10) / 10 : 0,
    video: videoText(input?.video),
    audio: audioText(input?.audio),
    protocol: stream?.publisher?.info.kind ?? '',
    clientId: stream?.publisher?.info.id ?? '',
    fault: '' as const,
    isConformed: false,
  };
}

function videoText(video: VideoConfig | undefined): string {
  return video ? `${video.codec.toUpperCase()} ${video.width}x${video.height}` : '';
}

function audioText(audio: AudioConfig | undefined): string {
  return audio ? `${audio.codec.toUpperCase()} ${audio.sampleRate} Hz, ${audio.channels} ch` : '';
}

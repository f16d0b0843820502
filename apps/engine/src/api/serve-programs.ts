import { done, engineApi, type InputSample, type ProgramStatus } from '@weir/engine-api';
import { type AudioConfig, Fmp4Muxer, type VideoConfig } from '@weir/media';
import type { StreamPlace, WirePlace } from '@weir/streams';
import type { Hub } from '../hub/hub.ts';
import type { Program } from '../hub/program/program.ts';
import type { InputFacts, ProgramInput } from '../hub/program/program-input.ts';
import type { Programs } from '../hub/program/programs.ts';
import type { PrivateApi } from './private-api.ts';
import { kbps } from './srs-streams.ts';

/** Serves programs to the control plane: what they do, and what an operator wants of them. */
export function servePrograms(api: Pick<PrivateApi, 'serve'>, hub: Hub, programs: Programs): void {
  api.serve(engineApi.programs, () => ({
    programs: programs.all().map((program) => ({ ...statusOf(program, hub), gaps: programs.gapsOf(program.place) })),
  }));
  api.serve(engineApi.switchProgram, ({ input, ...place }) => {
    const program = programs.find(placeOf(place));
    return program && { refusal: program.switchTo(input) ?? '' };
  });
  api.serve(engineApi.inputSample, ({ input, ...place }) => {
    const found = programs.find(placeOf(place))?.inputs.find(({ id }) => id === input);
    return found?.source?.isLive ? sampleOf(found) : undefined;
  });
  api.serve(engineApi.inputFault, ({ input, fault, ...place }) => {
    return programs.find(placeOf(place))?.setFault(input, fault) ? done : undefined;
  });
  api.serve(engineApi.rehearseProgram, ({ input, forMs, ...place }) => {
    return programs.rehearse(placeOf(place), input, forMs) ? {} : undefined;
  });
}

/** The last keyframe and audio of an input, both from time zero. */
function sampleOf({ video, audio, keyframe, recentAudio }: ProgramInput): InputSample {
  const tracks = { ...(video && keyframe && { video }), ...(audio && recentAudio.length > 0 && { audio }) };
  const startMs = recentAudio[0]?.dtsMs ?? 0;
  const frames = [
    ...(keyframe ? [{ ...keyframe, dtsMs: 0, ptsMs: 0 }] : []),
    ...recentAudio.map((frame) => ({ ...frame, dtsMs: frame.dtsMs - startMs, ptsMs: frame.ptsMs - startMs })),
  ];
  const muxer = new Fmp4Muxer(tracks);
  const hasTracks = tracks.video !== undefined || tracks.audio !== undefined;
  return {
    movie: hasTracks ? Buffer.concat([muxer.initSegment(), muxer.fragments(frames)]).toString('base64') : '',
    hasVideo: tracks.video !== undefined,
    hasAudio: tracks.audio !== undefined,
    keyframeMs: Math.max(0, keyframe?.dtsMs ?? 0),
  };
}

function placeOf({ vhost, app, stream }: WirePlace): StreamPlace {
  return { vhost, app, name: stream };
}

function statusOf(program: Program, hub: Hub): Omit<ProgramStatus, 'gaps'> {
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
  const { id, state, fit, silentMs, goodMs, fault } = facts;
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
    video: videoText(input?.source?.video ?? input?.video),
    audio: audioText(input?.source?.audio ?? input?.audio),
    protocol: stream?.publisher?.info.kind ?? '',
    clientId: stream?.publisher?.info.id ?? '',
    fault,
  };
}

function videoText(video: VideoConfig | undefined): string {
  return video ? `${video.codec.toUpperCase()} ${video.width}x${video.height}` : '';
}

function audioText(audio: AudioConfig | undefined): string {
  return audio ? `${audio.codec.toUpperCase()} ${audio.sampleRate} Hz, ${audio.channels} ch` : '';
}

import { decodeDone, decodeNothing, type EngineCall } from './engine-call.ts';
import { decodeHealth } from './health.ts';
import { decodeKeyframe, decodeKeyframeOf } from './keyframe.ts';
import { decodeLadders } from './ladders.ts';
import { decodeLinkViewers } from './play-access.ts';
import {
  decodeFault,
  decodeInputOf,
  decodeInputSample,
  decodeProgramSwitch,
  decodePrograms,
  decodeRehearsal,
  decodeSwitchAnswer,
} from './programs.ts';
import { decodeSamples, decodeServerSamples, decodeSince, decodeStreamKey, decodeStreamSamples } from './samples.ts';
import { decodeSettings } from './settings.ts';
import { decodeStreamCues, decodeStreamTracks } from './subtitles.ts';

const mostSettingsBytes = 4 * 1024 * 1024;
const mostSubtitleBytes = 1024 * 1024;
const mostProgramCallBytes = 8 * 1024;

/** Every call of the control server to the engine beside SRS's own API. */
export const engineApi = {
  /** Run of the engine, its ports, and workers that ended unexpectedly. */
  health: query('/weir/v1/health', decodeNothing, decodeHealth),
  /** Settings that running streams follow. Absent ones stay. */
  settings: command('PUT', '/weir/v1/settings', mostSettingsBytes, decodeSettings),
  samples: {
    /** The last second of every live stream and of the server. */
    now: query('/weir/v1/samples/now', decodeNothing, decodeSamples),
    /** Seconds of live streams after `since`. */
    recent: query('/weir/v1/samples/recent', decodeSince, decodeSamples),
    /** Finished minutes of all streams and the server after `since`. */
    minutes: query('/weir/v1/samples/minutes', decodeSince, decodeSamples),
    /** Seconds of the server, and the descriptors of its process. */
    server: query('/weir/v1/samples/server', decodeNothing, decodeServerSamples),
    /** Seconds of one stream and its viewers; missing while it is not measured. */
    stream: query('/weir/v1/samples/stream', decodeStreamKey, decodeStreamSamples),
  },
  /** Last keyframe of a stream or of an input of a program; missing without a publisher. */
  keyframe: query('/weir/v1/keyframe', decodeKeyframeOf, decodeKeyframe),
  /** Subtitle languages of a stream; an empty list switches subtitles off. Missing without the stream. */
  subtitleTracks: command('PUT', '/weir/v1/subtitles', mostSubtitleBytes, decodeStreamTracks),
  /** Cues to add to a track, or to replace by their id. Missing without the stream or track. */
  cues: command('POST', '/weir/v1/cues', mostSubtitleBytes, decodeStreamCues),
  /** Viewers of each link and backend token that is in use. */
  linkViewers: query('/weir/v1/access/links', decodeNothing, decodeLinkViewers),
  /** Every ladder whose stream is there. */
  ladders: query('/weir/v1/ladders', decodeNothing, decodeLadders),
  /** Every program with its inputs. */
  programs: query('/weir/v1/programs', decodeNothing, decodePrograms),
  /** Switch by hand; an empty input lets the program decide again. Missing without the program. */
  switchProgram: {
    ...command('POST', '/weir/v1/programs/switch', mostProgramCallBytes, decodeProgramSwitch),
    decodeAnswer: decodeSwitchAnswer,
  },
  /** Sample of an input's media for fault detection. Missing without the program or a publisher of the input. */
  inputSample: query('/weir/v1/programs/sample', decodeInputOf, decodeInputSample),
  /** A fault of what an input sends, or that it has none any more. Missing without the program or input. */
  inputFault: command('POST', '/weir/v1/programs/fault', mostProgramCallBytes, decodeFault),
  /** Takes an input for lost for some time. Missing without the program or input. */
  rehearseProgram: command('POST', '/weir/v1/programs/rehearse', mostProgramCallBytes, decodeRehearsal),
} as const;

function query<Request, Answer>(
  path: string,
  decodeRequest: (body: unknown) => Request,
  decodeAnswer: (data: unknown) => Answer,
): EngineCall<Request, Answer> {
  return { method: 'GET', path, mostBytes: 0, decodeRequest, decodeAnswer };
}

function command<Request>(
  method: 'PUT' | 'POST',
  path: string,
  mostBytes: number,
  decodeRequest: (body: unknown) => Request,
) {
  return { method, path, mostBytes, decodeRequest, decodeAnswer: decodeDone } as const;
}

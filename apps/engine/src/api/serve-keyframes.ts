import { engineApi } from '@weir/engine-api';
import { Fmp4Muxer, type MediaFrame, type VideoConfig } from '@weir/media';
import type { StreamPlace } from '@weir/streams';
import type { Hub } from '../hub/hub.ts';
import { slateId } from '../hub/program/decide.ts';
import type { Programs } from '../hub/program/programs.ts';
import type { PrivateApi } from './private-api.ts';

/** Serves the last keyframe of a stream or input for thumbnails. Empty where there is none: audio alone, or the first moments. */
export function serveKeyframes(api: Pick<PrivateApi, 'serve'>, hub: Hub, programs: Pick<Programs, 'find'>): void {
  api.serve(engineApi.keyframe, ({ vhost, app, stream: name, input }) => {
    const place = { vhost, app, name };
    if (input === '') return keyframeOf(hub, place);
    const program = programs.find(place);
    if (input === slateId) {
      const slate = program?.slate();
      return slate && movieOf(slate.video, slate.pictures[0]);
    }
    const from = program?.placeOf(input);
    return from && keyframeOf(hub, from);
  });
}

function keyframeOf(hub: Hub, place: StreamPlace) {
  const stream = hub.find(place);
  if (!stream?.isLive) return undefined;
  const { video } = stream;
  const keyframe = stream.cached().find(({ kind, isKeyframe }) => kind === 'video' && isKeyframe);
  return video && keyframe ? movieOf(video, keyframe) : { movie: '' };
}

function movieOf(video: VideoConfig, picture: Pick<MediaFrame, 'payload'> | undefined) {
  if (!picture) return { movie: '' };
  const muxer = new Fmp4Muxer({ video });
  const { payload } = picture;
  const frame = { kind: 'video', codec: video.codec, dtsMs: 0, ptsMs: 0, isKeyframe: true, payload } as const;
  return { movie: Buffer.concat([muxer.initSegment(), muxer.fragments([frame])]).toString('base64') };
}

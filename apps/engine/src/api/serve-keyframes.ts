import { engineApi } from '@weir/engine-api';
import { Fmp4Muxer } from '@weir/media';
import type { Hub } from '../hub/hub.ts';
import type { PrivateApi } from './private-api.ts';

/** Serves the last keyframe of a stream for thumbnails. Empty where there is none: audio alone, or the first moments. */
export function serveKeyframes(api: Pick<PrivateApi, 'serve'>, hub: Hub): void {
  api.serve(engineApi.keyframe, ({ vhost, app, stream: name }) => {
    const stream = hub.find({ vhost, app, name });
    if (!stream?.isLive) return undefined;
    const { video } = stream;
    const keyframe = stream.cached().find(({ kind, isKeyframe }) => kind === 'video' && isKeyframe);
    if (!video || !keyframe) return { movie: '' };
    const muxer = new Fmp4Muxer({ video });
    return { movie: Buffer.concat([muxer.initSegment(), muxer.fragments([keyframe])]).toString('base64') };
  });
}

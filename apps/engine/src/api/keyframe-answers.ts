import { Fmp4Muxer } from '@weir/media';
import { keyframePath } from '@weir/streams';
import type { Hub } from '../hub/hub.ts';
import type { Query } from './private-api.ts';

/** The last keyframe of a stream, for whoever makes a small picture of it. Empty where there is none: audio alone, or the first moments. */
export function keyframeAnswers(hub: Hub): Readonly<Record<string, Query>> {
  return {
    [keyframePath]: (query) => {
      const [vhost = '', app = '', name = ''] = ['vhost', 'app', 'stream'].map((field) => query.get(field) ?? '');
      const stream = hub.find({ vhost, app, name });
      if (!stream?.isLive) return undefined;
      const { video } = stream;
      const keyframe = stream.cached().find(({ kind, isKeyframe }) => kind === 'video' && isKeyframe);
      if (!video || !keyframe) return { movie: '' };
      const muxer = new Fmp4Muxer({ video });
      return { movie: Buffer.concat([muxer.initSegment(), muxer.fragment([keyframe], 1)]).toString('base64') };
    },
  };
}

import { done, engineApi } from '@weir/engine-api';
import type { WirePlace } from '@weir/streams';
import type { Hub } from '../hub/hub.ts';
import type { PrivateApi } from './private-api.ts';

/** Serves the calls by which the control plane gives streams their subtitles. */
export function serveSubtitles(api: Pick<PrivateApi, 'serve'>, hub: Pick<Hub, 'find'>): void {
  const find = ({ vhost, app, stream }: WirePlace) => hub.find({ vhost, app, name: stream })?.subtitles;
  api.serve(engineApi.subtitleTracks, ({ tracks, ...place }) => {
    const subtitles = find(place);
    subtitles?.setTracks(tracks);
    return subtitles && done;
  });
  api.serve(engineApi.cues, ({ language, cues, ...place }) => (find(place)?.add(language, cues) ? done : undefined));
}

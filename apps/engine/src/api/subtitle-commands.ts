import { parseToldCues, parseToldTracks, subtitlePaths, type WirePlace } from '@weir/streams';
import type { Hub } from '../hub/hub.ts';
import type { Command } from './private-api.ts';

const mostBytes = 1024 * 1024;

/** Subtitles of streams, from the control plane. Where its words come from is nothing to the engine. */
export function subtitleCommands(hub: Pick<Hub, 'find'>): Readonly<Record<string, Command>> {
  const find = ({ vhost, app, stream }: WirePlace) => hub.find({ vhost, app, name: stream })?.subtitles;
  return {
    [subtitlePaths.tracks]: {
      method: 'PUT',
      mostBytes,
      apply: (body) => {
        const { place, tracks } = parseToldTracks(body);
        const subtitles = find(place);
        subtitles?.setTracks(tracks);
        return subtitles !== undefined;
      },
    },
    [subtitlePaths.cues]: {
      method: 'POST',
      mostBytes,
      apply: (body) => {
        const { place, language, cues } = parseToldCues(body);
        return find(place)?.add(language, cues) ?? false;
      },
    },
  };
}

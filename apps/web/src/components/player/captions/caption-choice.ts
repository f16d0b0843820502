import type { SubtitleTrack } from '@weir/dialect';
import { parseJson, read, storageKeys, write } from '../../../lib/browser/browser-storage.ts';

/** What a viewer wants to read along, wherever there is something to read. */
export interface CaptionChoice {
  readonly isOn: boolean;
  readonly language: string;
}

/** Undefined for who never chose. */
export function readCaptionChoice(): CaptionChoice | undefined {
  const kept = parseJson(read(storageKeys.captions));
  if (typeof kept !== 'object' || kept === null || !('isOn' in kept) || !('language' in kept)) return undefined;
  return { isOn: kept.isOn === true, language: String(kept.language) };
}

export function saveCaptionChoice(choice: CaptionChoice): void {
  write(storageKeys.captions, JSON.stringify(choice));
}

/** The track that a choice means; undefined when nothing is to be shown. Who never chose gets what the stream's owner wants shown. */
export function trackFor(
  choice: CaptionChoice | undefined,
  tracks: readonly SubtitleTrack[],
): SubtitleTrack | undefined {
  if (!choice) return tracks.find(({ isDefault }) => isDefault);
  return choice.isOn ? preferred(choice.language, tracks) : undefined;
}

/** The language itself, then another form of it, then what is usual. */
export function preferred(language: string, tracks: readonly SubtitleTrack[]): SubtitleTrack | undefined {
  const [main] = language.split('-');
  return (
    tracks.find((track) => track.language === language) ??
    tracks.find((track) => track.language.split('-')[0] === main) ??
    tracks.find(({ isDefault }) => isDefault) ??
    tracks[0]
  );
}

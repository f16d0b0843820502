import type { SubtitleTrack } from '@weir/dialect';
import { parseJson, readStorage, storageKeys, writeStorage } from '../../../lib/browser/browser-storage.ts';

/** What a viewer wants to read along, wherever there is something to read. */
export interface CaptionChoice {
  readonly isOn: boolean;
  readonly language: string;
}

/** Undefined for who never chose. */
export function readCaptionChoice(): CaptionChoice | undefined {
  const kept = parseJson(readStorage(storageKeys.captions));
  if (typeof kept !== 'object' || kept === null || !('isOn' in kept) || !('language' in kept)) return undefined;
  return { isOn: kept.isOn === true, language: String(kept.language) };
}

export function saveCaptionChoice(choice: CaptionChoice): void {
  writeStorage(storageKeys.captions, JSON.stringify(choice));
}

/** The track that a choice means; undefined when nothing is to be shown. Who never chose gets what the stream's owner wants shown. */
export function selectTrack(
  choice: CaptionChoice | undefined,
  tracks: readonly SubtitleTrack[],
): SubtitleTrack | undefined {
  if (!choice) return tracks.find(({ isDefault }) => isDefault);
  return choice.isOn ? findPreferredTrack(choice.language, tracks) : undefined;
}

/** The language itself, then another form of it, then what is usual. */
export function findPreferredTrack(language: string, tracks: readonly SubtitleTrack[]): SubtitleTrack | undefined {
  const [main] = language.split('-');
  return (
    tracks.find((track) => track.language === language) ??
    tracks.find((track) => track.language.split('-')[0] === main) ??
    tracks.find(({ isDefault }) => isDefault) ??
    tracks[0]
  );
}

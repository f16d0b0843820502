import type { SourceKind } from '../session/player-source.ts';
import { openFile } from './file-playback.ts';
import { openFlv, openTs } from './flv-playback.ts';
import { openHls } from './hls-playback.ts';
import type { OpenPlayback } from './playback.ts';
import { openWhep } from './whep-playback.ts';

/** Each way of playing. The large libraries behind two of them are fetched when first used. */
export const openPlayback: Record<SourceKind, OpenPlayback> = {
  flv: openFlv,
  ts: openTs,
  hls: openHls,
  whep: openWhep,
  file: openFile,
};

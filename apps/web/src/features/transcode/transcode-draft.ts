import { type TranscodeConfig, type TranscodeField, transcodeDefaults } from '@weir/contract';

/** The form as it is typed: texts, of which some are no numbers yet. */
export type TranscodeDraft = Readonly<Record<TranscodeField | 'stream', string>>;

/** What the form shows of what was saved. Where nothing was, it offers what suits most. */
export function toDraft(saved: TranscodeConfig, own: { server: string; secret: string }): TranscodeDraft {
  const isSaved = saved.vbitrate > 0;
  const fields = isSaved ? saved : { ...saved, ...transcodeDefaults };
  // A key belongs to its server: one without the other is not filled up with ours.
  const hasPlace = saved.server !== '' || saved.secret !== '';
  return {
    vbitrate: String(fields.vbitrate),
    abitrate: String(fields.abitrate),
    vcodec: fields.vcodec,
    vprofile: fields.vprofile,
    vpreset: fields.vpreset,
    acodec: fields.acodec,
    achannels: String(fields.achannels),
    server: hasPlace ? saved.server : own.server,
    secret: hasPlace ? saved.secret : own.secret,
    stream: saved.stream,
  };
}

export function toTranscodeConfig(draft: TranscodeDraft, all: boolean): TranscodeConfig {
  return {
    all,
    vbitrate: parseWhole(draft.vbitrate),
    abitrate: parseWhole(draft.abitrate),
    vcodec: draft.vcodec,
    vprofile: draft.vprofile,
    vpreset: draft.vpreset,
    acodec: draft.acodec,
    achannels: parseWhole(draft.achannels),
    server: draft.server.trim(),
    secret: draft.secret.trim(),
    stream: draft.stream.trim(),
  };
}

/** Digits only: of `1200k` or `1e3` nobody knows what was meant. */
function parseWhole(text: string): number {
  return /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : Number.NaN;
}

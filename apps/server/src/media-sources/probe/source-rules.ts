import { type Source, type SourceProbe, sourceCodecs } from '@weir/contract';
import { sourceError } from '../source-error.ts';

export interface ProbeRules {
  readonly limitKbps: number;
  /** Audio may have any codec, because it is encoded again. */
  readonly anyAudio?: boolean;
  /** Pictures too, because they are not sent to an outlet. */
  readonly anyVideo?: boolean;
}

/** Checks that a source can be sent without encoding: outlets must carry its codecs. */
export function checkProbe({ format, video, audio }: SourceProbe, { limitKbps, anyAudio, anyVideo }: ProbeRules): void {
  if (!video && !audio) throw sourceError('nothing', 'the source contains neither video nor audio');
  const kbps = Math.round(Number(format.bit_rate) / 1000);
  // Live sources seldom say; then there is nothing to compare.
  if (kbps > limitKbps) {
    const message = `bitrate ${kbps}Kbps is too large, exceed ${limitKbps}Kbps`;
    throw sourceError('bitrate', message, `${kbps} / ${limitKbps} Kbps`);
  }
  const checked = [['video', anyVideo ? null : video] as const, ['audio', anyAudio ? null : audio] as const];
  for (const [kind, track] of checked) {
    if (track && !sourceCodecs.some((codec) => codec === track.codec_name)) {
      const codec = word(track.codec_name);
      const message = `invalid ${kind} codec ${codec}, should be ${sourceCodecs.join(', ')}`;
      throw sourceError(`${kind}-codec`, message, codec);
    }
  }
}

/**
 * Files that play in turn become one stream without encoding, whose parameters viewers get only once. So they must be alike. A live
 * source never ends, so nothing can follow it.
 */
export function checkTogether(sources: readonly Pick<Source, 'name' | 'type' | 'video' | 'audio'>[]): void {
  const [first, ...others] = sources;
  if (!first || others.length === 0) return;
  if (sources.some(({ type }) => type === 'stream')) {
    throw sourceError('stream-alone', 'a live stream must be the only source of its destination');
  }
  for (const other of others) {
    const [wanted, found] = [parametersOf(first), parametersOf(other)];
    if (wanted !== found) {
      throw sourceError(
        'not-alike',
        `files in one playlist must have the same format: the first has ${wanted}, another has ${found}, convert one of them`,
        `${wanted} / ${found}`,
      );
    }
  }
}

function parametersOf({ video, audio }: Pick<Source, 'video' | 'audio'>): string {
  const picture =
    video && `${word(video.codec_name)} ${word(video.profile)} ${video.width}x${video.height} ${word(video.pix_fmt)}`;
  const sound = audio && `${word(audio.codec_name)} ${word(audio.sample_rate)} Hz ${audio.channels} channels`;
  return `${picture ?? 'no video'}, ${sound ?? 'no audio'}`;
}

/** Names from inside a file, which may hold anything. */
function word(text: string): string {
  return text.replace(/[^\w .():-]/g, '').slice(0, 40);
}

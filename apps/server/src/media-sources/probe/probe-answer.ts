import type { SourceProbe } from '@weir/contract';
import * as z from 'zod';

const Text = z.union([z.string(), z.number().transform(String)]).catch('');
const Whole = z.coerce.number().int().catch(0);

const Track = z.object({
  codec_type: Text,
  codec_name: Text,
  profile: Text,
  bit_rate: Text,
  start_time: Text,
  duration: Text,
  pix_fmt: Text,
  width: Whole,
  height: Whole,
  level: Whole,
  sample_fmt: Text,
  sample_rate: Text,
  channel_layout: Text,
  channels: Whole,
  disposition: z.object({ attached_pic: Whole }).catch({ attached_pic: 0 }),
});

const Answer = z.object({
  format: z
    .object({ start_time: Text, duration: Text, bit_rate: Text, nb_streams: Whole, probe_score: Whole })
    .catch({ start_time: '', duration: '', bit_rate: '', nb_streams: 0, probe_score: 0 }),
  streams: z.array(Track).catch([]),
});

/** What ffprobe printed, as sources keep it: the first video and the first audio track. The cover of a song is no video. */
export function readProbe(json: unknown): SourceProbe {
  const { format, streams } = Answer.parse(json);
  const video = streams.find((track) => track.codec_type === 'video' && track.disposition.attached_pic === 0);
  const audio = streams.find(({ codec_type }) => codec_type === 'audio');
  return {
    format: { ...format, has_video: video !== undefined, has_audio: audio !== undefined },
    video: video ? pick(video, ['pix_fmt', 'width', 'height', 'level']) : null,
    audio: audio ? pick(audio, ['sample_fmt', 'sample_rate', 'channel_layout', 'channels']) : null,
  };
}

const common = ['codec_type', 'codec_name', 'profile', 'bit_rate', 'start_time', 'duration'] as const;

function pick<K extends keyof z.infer<typeof Track>>(track: z.infer<typeof Track>, own: readonly K[]) {
  type Picked = Pick<z.infer<typeof Track>, (typeof common)[number] | K>;
  return Object.fromEntries([...common, ...own].map((name) => [name, track[name]])) as Picked;
}

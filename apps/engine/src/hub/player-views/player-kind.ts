import {
  type AudioConfig,
  opusSampleRate,
  type VideoConfig,
  writeAudioSpecificConfig,
  writeOpusHead,
} from '@weir/media';

/** Kind of player by what it can decode: RTMP, FLV, HLS and SRT players; browsers by WebRTC. */
export type PlayerKind = 'classic' | 'webrtc';

/** Suitability of a track for a kind of player. */
export type Fit = 'none' | 'direct' | 'convert';

export function fitOfAudio(playerKind: PlayerKind, audio: AudioConfig | undefined): Fit {
  if (!audio) return 'none';
  const isOpus = audio.codec === 'opus';
  if (playerKind === 'classic') return isOpus ? 'convert' : 'direct';
  // Browsers negotiate two channels; more need a mapping that RTP does not carry.
  return isOpus && audio.channels <= 2 ? 'direct' : 'convert';
}

/** Browsers show pictures in the order they arrive. What both ends agree on apart from that is theirs to negotiate. */
export function fitOfVideo(playerKind: PlayerKind, video: VideoConfig | undefined, isReordered: boolean): Fit {
  if (!video) return 'none';
  return playerKind === 'webrtc' && video.codec === 'h264' && isReordered ? 'convert' : 'direct';
}

/** Config of converted audio, known before its first frame, so that players learn of both tracks at once. */
export const convertedAudio: Readonly<Record<PlayerKind, AudioConfig>> = {
  classic: {
    kind: 'audio',
    codec: 'aac',
    record: writeAudioSpecificConfig({ objectType: 2, sampleRate: 48_000, channels: 2 }),
    sampleRate: 48_000,
    channels: 2,
    profile: 'LC',
  },
  webrtc: {
    kind: 'audio',
    codec: 'opus',
    record: writeOpusHead(2),
    sampleRate: opusSampleRate,
    channels: 2,
    profile: '',
  },
};

/** AAC and its facts in FLV's metadata; nothing of sound where there is none to hear. */
export function withAudioMetadata(metadata: Readonly<Record<string, unknown>>, audio: AudioConfig | undefined) {
  const { audiocodecid, audiosamplerate, audiosamplesize, stereo, audiodatarate, ...rest } = metadata;
  if (audio?.codec !== 'aac' || audiocodecid === undefined) return rest;
  return { ...rest, audiocodecid: 10, audiosamplerate: audio.sampleRate, audiosamplesize: 16, stereo: true };
}

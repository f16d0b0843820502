/** Sizes of one picture that suit most lines, the best first. */
const sizes = [
  { width: 1920, height: 1080, kbps: 6000 },
  { width: 1280, height: 720, kbps: 3000 },
  { width: 854, height: 480, kbps: 1200 },
] as const;

/** One keyframe interval and no B-frames, so that all sizes are cut at the same frames and browsers play them via WebRTC. */
const encoder = { rate_control: 'CBR', keyint_sec: 2, preset: 'veryfast', profile: 'high', bf: 0 } as const;

/** What OBS would download from a platform for multitrack video. The server and stream key are those of its settings. */
export const obsTracks = JSON.stringify({
  meta: { service: 'custom', schema_version: '2024-06-04', config_id: 'weir' },
  ingest_endpoints: [],
  encoder_configurations: sizes.map(({ width, height, kbps }) => ({
    type: 'obs_x264',
    width,
    height,
    framerate: { numerator: 30, denominator: 1 },
    settings: { ...encoder, bitrate: kbps },
    canvas_index: 0,
  })),
  audio_configurations: {
    live: [{ codec: 'ffmpeg_aac', track_id: 1, channels: 2, settings: { bitrate: 160 } }],
    vod: [{ codec: 'ffmpeg_aac', track_id: 2, channels: 2, settings: { bitrate: 160 } }],
  },
});

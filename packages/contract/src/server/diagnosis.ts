import * as z from 'zod';

/** Issues by subject, each with a cause and a remedy in the console. */
export const issueIds = [
  // Media from the publisher.
  'stalled',
  'uplink-slow',
  'uplink-full',
  'bitrate-unstable',
  'bitrate-low',
  'keyframes-far',
  'fps-low',
  'timestamps',
  'reconnects',
  'publisher-rtt',
  'publisher-loss',
  'input-lost',
  'input-unfit',
  // Tracks.
  'video-none',
  'audio-none',
  'audio-silent',
  'av-offset',
  'av-drift',
  'profile-unplayable',
  'codec-limited',
  'hevc-limited',
  // Viewers.
  'b-frames',
  'webrtc-unavailable',
  'viewer-rtt',
  'viewer-loss',
  'viewers-behind',
  'viewers-slow',
  // Machine.
  'cpu-full',
  'memory-full',
  'disk-full',
  'disk-filling',
  'open-files',
  'clock-wrong',
  'ffmpeg-missing',
  // Reachability.
  'engine-away',
  'port-taken',
  'srt-unavailable',
  'worker-failing',
  'candidate-missing',
  'https-off',
  'certificate-untrusted',
  'certificate-expires',
  // Work on streams.
  'destination-key',
  'destination-slow',
  'destination-failing',
  'callback-failing',
  'record-storage',
  'record-failed',
  'record-lost',
  'upload-waiting',
  'ai-provider',
  'ai-limit',
  'local-ai',
] as const;
export type IssueId = (typeof issueIds)[number];

/**
 * Subjects of `cpu-full`: the processes of ours that may use the CPU, and `elsewhere` when the load is not ours. `conversion` makes
 * streams playable for some of their viewers. `tools` are short runs of ffmpeg: previews, finished recordings, segments.
 */
export const cpuUsers = [
  ...(['engine', 'srt', 'rtc', 'delivery', 'server', 'ai', 'conversion'] as const),
  ...(['forward', 'vlive', 'camera', 'transcode', 'transcript', 'tools'] as const),
  'elsewhere',
] as const;
export type CpuUser = (typeof cpuUsers)[number];

/** Issues that an alert of the same moment is about as well; whoever shows both shows the alert. */
export const alertIssueIds: readonly IssueId[] = [
  ...(['worker-failing', 'certificate-expires', 'destination-key', 'destination-slow', 'destination-failing'] as const),
  ...(['callback-failing', 'record-storage', 'record-failed', 'record-lost', 'upload-waiting'] as const),
  ...(['ai-provider', 'ai-limit', 'local-ai'] as const),
];

/** `bad`: viewers or work suffer now. `warn`: they may. */
const issueSeverities = ['bad', 'warn'] as const;

/** `none`: there is nothing to judge, as nobody publishes or the first seconds have not passed. */
export const verdicts = ['good', 'ok', 'bad', 'none'] as const;

export const Issue = z.object({
  id: z.enum(issueIds),
  severity: z.enum(issueSeverities),
  /** Earliest known start. */
  since: z.string(),
  /** Measurements, under the names that the console's texts use. */
  numbers: z.record(z.string(), z.number()),
  /** Affected destination, port or host, if there may be several. */
  subject: z.string(),
});
export type Issue = z.infer<typeof Issue>;

export const Diagnosis = z.object({ verdict: z.enum(verdicts), issues: z.array(Issue) });
export type Diagnosis = z.infer<typeof Diagnosis>;

/** Way to reduce the seconds of a minute to one value. */
export type SampleFold = 'mean' | 'most' | 'sum';

/** Measurements of a stream for each second. An unknown value is null. */
export const streamSampleFolds = {
  /** From the publisher, and to everybody. */
  inKbps: 'mean',
  outKbps: 'mean',
  audioKbps: 'mean',
  fps: 'mean',
  /** Between the last two keyframes, or since the last one if that is longer. */
  keyframeMs: 'most',
  /** Seconds of media that arrived in one second: below 1 the publisher falls behind. */
  pace: 'mean',
  /** Lead of audio over the video that arrives with it. */
  avOffsetMs: 'mean',
  /** Breaks in the publisher's clock. */
  jumps: 'sum',
  /** Frames that viewers skipped because they did not take them. */
  dropped: 'sum',
  /** Part of the audio frames that hold nothing, from 0 to 1. */
  silence: 'mean',
  /** Publisher's connection, over SRT and WebRTC. */
  rttMs: 'mean',
  lossPercent: 'mean',
  /** Mean of the WebRTC viewers. */
  viewerRttMs: 'mean',
  viewerLossPercent: 'mean',
  /** Viewers who are further behind than others, and how far the last of all is. Via WebRTC it is not known. */
  slow: 'most',
  behindMs: 'most',
  /** Viewers, by how they play. */
  rtc: 'most',
  flv: 'most',
  hls: 'most',
  rtmp: 'most',
  srt: 'most',
} as const satisfies Readonly<Record<string, SampleFold>>;

/** The same of the whole server. Shares are from 0 to 1. */
export const serverSampleFolds = {
  inKbps: 'mean',
  outKbps: 'mean',
  streams: 'most',
  dropped: 'sum',
  rtc: 'most',
  flv: 'most',
  hls: 'most',
  rtmp: 'most',
  srt: 'most',
  /** Share of all cores. */
  cpu: 'mean',
  /** Share of one core used by the media engine. */
  engineCpu: 'mean',
  memory: 'mean',
} as const satisfies Readonly<Record<string, SampleFold>>;

export type StreamSampleField = keyof typeof streamSampleFolds;
export type ServerSampleField = keyof typeof serverSampleFolds;

export const streamSampleFields = Object.keys(streamSampleFolds) as readonly StreamSampleField[];
export const serverSampleFields = Object.keys(serverSampleFolds) as readonly ServerSampleField[];

/** Samples by field, all columns as long as `at`. `at`: when each second or minute began. */
export interface SampleTable<Field extends string = string> {
  readonly at: readonly number[];
  readonly columns: Readonly<Record<Field, readonly (number | null)[]>>;
}

export const sampleSpans = {
  /** Spans in the engine: five minutes of seconds, two hours of minutes. */
  seconds: 300,
  minutes: 120,
  /** Minutes that the control plane stores: a day. */
  kept: 1440,
  /** Minutes that the engine tells at once. */
  page: 15,
  /** Seconds of all streams that the engine tells at once, and of how many streams: a call must not hold up media. */
  recentPage: 30,
  recentStreams: 200,
} as const;

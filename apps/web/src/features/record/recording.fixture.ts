import type { Recording, RecordSettings } from '@weir/contract';

export function recordingFixture(facts: Partial<Recording> = {}): Recording {
  const state = facts.state ?? 'done';
  return {
    uuid: 'r1',
    vhost: '__defaultVhost__',
    app: 'live',
    stream: 'show',
    quality: '',
    progress: state !== 'done' && state !== 'failed',
    update: '2026-03-01T09:00:00.000Z',
    nn: 6,
    duration: 61.5,
    size: 12_000_000,
    state,
    startedAt: '2026-03-01T08:00:00.000Z',
    endedAt: state === 'recording' ? '' : '2026-03-01T08:01:01.000Z',
    discontinuities: 0,
    lost: 0,
    mp4Bytes: state === 'done' ? 11_000_000 : 0,
    totalBytes: 23_000_000,
    thumbnail: false,
    transcript: false,
    percent: null,
    failure: '',
    error: '',
    tries: 0,
    nextTry: '',
    copy: '',
    upload: null,
    ...facts,
  };
}

export function settingsFixture(facts: Partial<RecordSettings> = {}): RecordSettings {
  return {
    all: false,
    home: '/data/record',
    globs: [],
    processCpDir: '',
    subtitles: false,
    segmentFormat: 'mpegts',
    qualities: ['source'],
    rule: { floorBytes: 0, quotaBytes: 0, atLimit: 'stop', keepDays: 0, keepBytes: 0, keepSegments: false },
    storage: {
      state: 'ok',
      limit: '',
      since: '',
      usedBytes: 23_000_000,
      freeBytes: 60e9,
      totalBytes: 100e9,
      floorBytes: 1_073_741_824,
      bytesPerDay: 2e9,
      fullInDays: 29.6,
      deleted: 0,
    },
    ...facts,
  };
}

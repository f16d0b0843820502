/** Password of a demonstration, which everybody may know: nothing can be changed there. */
export const demoPassword = 'weir-demo';

/** Calls below `/terraform/v1` that only read and cost little. */
const reads: ReadonlySet<string> = new Set(
  [
    'ai/local/query',
    'ai/models/query',
    'ai/limits/query',
    'ai/ocr/query',
    'ai/transcript/captions',
    'ai/transcript/lines',
    'ai/transcript/query',
    'ai/transcript/state',
    'ai/transcript/streams',
    'ai/usage/query',
    'ai/words/search',
    'dubbing/list',
    'ffmpeg/camera/streams',
    'ffmpeg/forward/streams',
    'ffmpeg/ladder/query',
    'ffmpeg/log',
    'ffmpeg/transcode/query',
    'ffmpeg/transcode/task',
    'ffmpeg/vlive/downloads/query',
    'ffmpeg/vlive/library/query',
    'ffmpeg/vlive/streams',
    'ffmpeg/vlive/uploads/query',
    'hooks/dvr/files',
    'hooks/dvr/query',
    'hooks/record/bucket/query',
    'hooks/record/files',
    'hooks/record/query',
    'hooks/record/sign',
    'hooks/srs/keys/query',
    'hooks/srs/secret/query',
    'hooks/vod/files',
    'hooks/vod/query',
    'live/program/query',
    'live/room/list',
    'mgmt/access/links',
    'mgmt/access/query',
    'mgmt/cert/query',
    'mgmt/cert/status',
    'mgmt/components/query',
    'mgmt/contact/query',
    'mgmt/dns/backend/query',
    'mgmt/doctor/query',
    'mgmt/edges/query',
    'mgmt/events',
    'mgmt/hlsll/query',
    'mgmt/hooks/deliveries',
    'mgmt/hooks/query',
    'mgmt/hphls/query',
    'mgmt/limit/query',
    'mgmt/limits/query',
    'mgmt/nginx/homepage/query',
    'mgmt/notifications/query',
    'mgmt/openai/query',
    'mgmt/secret/query',
    'mgmt/server/diagnosis',
    'mgmt/server/history',
    'mgmt/server/now',
    'mgmt/status',
    'mgmt/streams/attempts',
    'mgmt/streams/broadcasts',
    'mgmt/streams/detail',
    'mgmt/streams/history',
    'mgmt/streams/overview',
    'mgmt/streams/preview',
    'mgmt/streams/query',
    'mgmt/streams/report',
    'mgmt/streams/thumbnail',
    'mgmt/streams/timeline',
    'mgmt/token',
    'mgmt/watch/channel/query',
    'mgmt/watch/query',
    'mgmt/window/query',
  ].map((path) => `/terraform/v1/${path}`),
);

/** Older calls that read with an empty body, and write with one that names an action or a value. */
const readsWhenEmpty: ReadonlySet<string> = new Set([
  '/terraform/v1/ffmpeg/camera/secret',
  '/terraform/v1/ffmpeg/forward/secret',
  '/terraform/v1/ffmpeg/vlive/secret',
]);

/** Whether a visitor of a demonstration may make a call. New calls are refused until they are listed here. */
export function isDemoRead(path: string, body: unknown): boolean {
  if (reads.has(path)) return true;
  if (!readsWhenEmpty.has(path)) return false;
  const names = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  return names.every((name) => name === 'token');
}

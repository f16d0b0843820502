import { type CloudRecording, type CloudVideo, cloudApi, cloudPaths } from '@weir/contract';

export type CloudKind = 'dvr' | 'vod';

/** The switch of each kind. */
export const applyCalls = { dvr: cloudApi.dvrApply, vod: cloudApi.vodApply } as const;

interface SwitchState {
  readonly all: boolean;
}

/** The item that is open at first: what keeps it from working, else its list, else its switch. */
export function initialItem(own: SwitchState, other: SwitchState, isReady: boolean): '1' | '2' | '3' {
  if (other.all) return '2';
  if (!isReady) return '1';
  return own.all ? '3' : '2';
}

/** While it grows from this server's list of segments; afterwards from the cloud alone. */
export function recordingUrl({ uuid, progress, bucket, region }: CloudRecording, origin: string): string {
  if (progress || bucket === '') return origin + cloudPaths.dvr(uuid);
  return `https://${bucket}.cos.${region}.myqcloud.com/${uuid}/index.m3u8`;
}

export function videoUrl({ uuid, progress, media }: CloudVideo, origin: string): string {
  return progress || media === '' ? origin + cloudPaths.vod(uuid) : media;
}

export function previewUrl(address: string): string {
  return `/tools/player.html?url=${encodeURIComponent(address)}`;
}

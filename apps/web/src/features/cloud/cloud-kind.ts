import { type CloudRecording, type CloudVideo, cloudApi, cloudPaths } from '@weir/contract';

export type CloudKind = 'dvr' | 'vod';

/** Endpoint that switches each kind on and off. */
export const applyCalls = { dvr: cloudApi.dvrApply, vod: cloudApi.vodApply } as const;

interface SwitchState {
  readonly all: boolean;
}

/** Item opened at first: the obstacle if there is one, else the list while switched on, else the switch. */
export function initialItem(own: SwitchState, other: SwitchState, isReady: boolean): '1' | '2' | '3' {
  if (other.all) return '2';
  if (!isReady) return '1';
  return own.all ? '3' : '2';
}

/** A recording in progress plays from this server; a finished one only from the cloud. */
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

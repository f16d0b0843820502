import { thumbnailSize } from './has-changed.ts';

interface Picture {
  readonly from: string;
  readonly image: string;
  readonly thumbnail: string;
}

/** Larger ones read no better. */
const widest = 1920;

/** The first picture of a segment as JPEG, and the small one that it is compared by. */
export function pictureArgs({ from, image, thumbnail }: Picture): string[] {
  const { width, height } = thumbnailSize;
  const first = ['-map', '0:v:0', '-frames:v', '1', '-an'];
  return [
    '-hide_banner',
    '-nostdin',
    '-loglevel',
    'error',
    '-threads',
    '1',
    '-protocol_whitelist',
    'file',
    '-f',
    'mpegts',
    '-i',
    `file:${from}`,
    ...first,
    '-vf',
    `scale='min(${widest},iw)':-2`,
    '-q:v',
    '4',
    '-threads',
    '1',
    '-c:v',
    'mjpeg',
    '-f',
    'image2',
    '-update',
    '1',
    '-y',
    `file:${image}`,
    ...first,
    '-vf',
    `scale=${width}:${height}:flags=area,format=gray`,
    '-threads',
    '1',
    '-c:v',
    'rawvideo',
    '-f',
    'rawvideo',
    '-y',
    `file:${thumbnail}`,
  ];
}

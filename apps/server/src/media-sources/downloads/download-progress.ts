import { join } from 'node:path';
import { pictureLimit } from '@weir/process/picture-limit';

/** Progress of one file. Unknown numbers are undefined. */
export interface DownloadProgress {
  readonly bytes: number | undefined;
  readonly totalBytes: number | undefined;
  readonly bytesPerSecond: number | undefined;
}

const progressWord = 'weir-progress';
const titleWord = 'weir-title';

interface DownloadOrder {
  readonly url: string;
  /** Empty directory for this download. */
  readonly directory: string;
  readonly proxy: string;
  readonly largestBytes: number;
}

/**
 * Arguments of yt-dlp. The address stands behind `--`, so it is never an option; settings of the machine's users are not read, so none of them
 * can run programs. Formats: first what needs no conversion to be sent on.
 */
export function downloadArgs({ url, directory, proxy, largestBytes }: DownloadOrder): string[] {
  const template = directory.replaceAll('%', '%%');
  return [
    '--ignore-config',
    '--no-playlist',
    '--no-cache-dir',
    '--no-mtime',
    '--no-overwrites',
    '--no-colors',
    '--newline',
    '--progress',
    '--no-simulate',
    '--print',
    `before_dl:${titleWord} %(title)s`,
    '--progress-template',
    `download:${progressWord} %(progress.downloaded_bytes)s %(progress.total_bytes)s %(progress.total_bytes_estimate)s %(progress.speed)s`,
    '--format',
    'bv*[vcodec^=avc1]+ba[acodec^=mp4a]/b[ext=mp4]/b[ext=flv]/bv*[vcodec^=avc1]+ba/b',
    // ffmpeg must not download: it would bypass the proxy and follow any address in a playlist.
    '--downloader',
    'native',
    '--downloader-args',
    `ffmpeg_i:-protocol_whitelist file ${pictureLimit.join(' ')}`,
    '--postprocessor-args',
    `ffmpeg_i:-protocol_whitelist file ${pictureLimit.join(' ')}`,
    '--merge-output-format',
    'mp4',
    '--max-filesize',
    String(largestBytes),
    '--socket-timeout',
    '30',
    '--retries',
    '3',
    '--fragment-retries',
    '3',
    '--proxy',
    proxy,
    '--output',
    `${template}/video.%(ext)s`,
    '--',
    url,
  ];
}

/**
 * Environment of yt-dlp. Python's HTTP goes through a proxy, its FTP and other protocols do not; a hook at its start
 * allows connections to that one port only.
 */
export function downloadEnvironment(proxy: string): Record<string, string> {
  return {
    PYTHONPATH: join(import.meta.dirname, 'only-the-proxy'),
    PYTHONDONTWRITEBYTECODE: '1',
    WEIR_PROXY_PORT: new URL(proxy).port,
  };
}

/** Parses a line of its output. */
export function readDownloadLine(line: string): { readonly title: string } | DownloadProgress | undefined {
  const [word, ...rest] = line.trim().split(' ');
  if (word === titleWord)
    return {
      title: rest
        .join(' ')
        .replace(/\p{Cc}/gu, ' ')
        .trim()
        .slice(0, 255),
    };
  if (word !== progressWord) return undefined;
  const [bytes, total, estimate, speed] = rest.map(numberOf);
  return { bytes, totalBytes: total ?? estimate, bytesPerSecond: speed };
}

function numberOf(text: string): number | undefined {
  const value = Number(text);
  return text !== '' && Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
}

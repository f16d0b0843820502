/** Names from an RTMP address: the application to connect to, and the stream in it. */
interface RtmpNames {
  readonly app: string;
  readonly playPath: string;
}

/**
 * Cuts the path of an address where ffmpeg does: the application is the first part, or the first two of three or more. Undefined for
 * the old forms that ffmpeg reads otherwise; those are left to it.
 */
export function rtmpNames(path: string): RtmpNames | undefined {
  if (/\?.*slist=/s.test(path) || path.startsWith('/ondemand/')) return undefined;
  const rest = path.replace(/^\//, '');
  const first = rest.indexOf('/');
  if (first < 0) return { app: '', playPath: streamName(rest) };
  const second = rest.indexOf('/', first + 1);
  const colon = rest.indexOf(':', first + 1);
  // `app/mp4:folder/film`: what follows the colon is not an instance of the application.
  const cut = second < 0 || (colon >= 0 && colon < second) ? first : second;
  return { app: rest.slice(0, cut), playPath: streamName(rest.slice(cut + 1)) };
}

function streamName(text: string): string {
  if (!text.includes(':') && /\.(?:f4v|mp4)$/.test(text)) return `mp4:${text}`;
  return text.replace(/\.flv$/, '');
}

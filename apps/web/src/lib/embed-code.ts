/** Common widths of web sites; `fluid` fills the available width. */
export const embedSizes = ['fluid', '640', '960', '1280'] as const;
export type EmbedSize = (typeof embedSizes)[number];

interface Embed {
  /** Full URL of the player page. */
  readonly player: string;
  readonly title: string;
  readonly size: EmbedSize;
}

/**
 * Frame with the player for a web site. The sandbox allows scripts and storage only: no forms, windows or navigation.
 * `allow-same-origin` refers to this server's origin, which the embedding site does not have.
 */
export function embedCode({ player, title, size }: Embed): string {
  const room = size === 'fluid' ? 'width:100%;aspect-ratio:16/9;' : '';
  const attributes = {
    src: player,
    title,
    ...(size !== 'fluid' && { width: size, height: String((Number(size) * 9) / 16) }),
    style: `${room}border:0`,
    sandbox: 'allow-scripts allow-same-origin',
    allow: 'autoplay; fullscreen; picture-in-picture',
    referrerpolicy: 'no-referrer',
    loading: 'lazy',
  };
  const text = Object.entries(attributes).map(([name, value]) => `${name}="${escaped(value)}"`);
  return `<iframe ${text.join(' ')}></iframe>`;
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

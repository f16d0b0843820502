/** Widths that web sites usually have room for; `fluid` takes what there is. */
export const embedSizes = ['fluid', '640', '960', '1280'] as const;
export type EmbedSize = (typeof embedSizes)[number];

interface Embed {
  /** Whole address of the player's page. */
  readonly player: string;
  readonly title: string;
  readonly size: EmbedSize;
}

/**
 * A frame with the player for somebody's web site. The frame may run the player and keep its volume, and nothing else: no forms, no windows,
 * no leading the visitor away. `allow-same-origin` is this server's own origin, which the site around it is not.
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

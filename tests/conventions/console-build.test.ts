import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { root } from './source.fixture.ts';

const dist = join(root, 'apps/web/dist');
const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
const read = (name: string) => readFileSync(join(dist, name), 'utf8');

/** Texts inside libraries that look like addresses and are never asked for: XML names, and where errors are explained. */
const inert = [
  'www.w3.org',
  'json-schema.org',
  'react.dev',
  'react.i18next.com',
  'mantine.dev',
  'help.mantine.dev',
  'reactrouter.com',
  'www.i18next.com',
  'github.com',
  // hls.js: the name of a kind of event. mpegts.js: a request that is opened to see what it can do, and never sent.
  'aomedia.org',
  'example.com',
  // Filled into a field by a preset; only the server asks it, once its owner saved it.
  'api.openai.com',
  'api.telegram.org',
  'ntfy.sh',
  'api.day.app',
];
/** Links a person may follow. */
const links = [
  'beian.miit.gov.cn',
  'obsproject.com',
  'ffmpeg.org',
  // Pages on which platforms show server and key.
  'studio.youtube.com',
  'www.twitch.tv',
  'www.facebook.com',
  'channels.weixin.qq.com',
  'link.bilibili.com',
  'studio.kuaishou.com',
  'blog.ossrs.io',
  'youtu.be',
  'www.bilibili.com',
  'www.vmix.com',
  'www.sinsam.com',
  'console.cloud.tencent.com',
];

/** Vite wants a file for each page. They are copies, so that a change of one is a change of all. */
it('pages outside the console differ in name, language and script alone', () => {
  const texts = ['players', 'tools', 'console', 'watch'].flatMap((directory) =>
    readdirSync(join(root, 'apps/web', directory)).map((name) =>
      readFileSync(join(root, 'apps/web', directory, name), 'utf8')
        .replace(/<html lang="[\w-]+">/, '')
        .replace(/ data-page="\w+"( data-locale="\w+")?/, '')
        .replace(/\/src\/pages\/[\w-]+\/\w+\.tsx/, ''),
    ),
  );
  expect(texts.length).toBe(12);
  expect(new Set(texts).size).toBe(1);
});

describe('the built console', () => {
  it('names no third party', () => {
    const named = files
      // Text with links for readers; docs-site.test.ts looks at what these pages load.
      .filter((name) => !name.startsWith('docs/'))
      .filter((name) => /\.(js|css|html|svg|json|webmanifest)$/.test(name))
      .flatMap((name) =>
        [...read(name).matchAll(/(?:https?:|["'`(])\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,})/gi)].map(
          ([, host]) => host,
        ),
      );
    expect([...new Set(named)].filter((host) => host !== undefined && ![...inert, ...links].includes(host))).toEqual(
      [],
    );
  });

  it.each([
    ['index.html', 300],
    ['tools/player.html', 150],
    ['players/whep.html', 150],
    ['players/whip.html', 150],
    ['console/en_index.html', 150],
  ])('%s loads less than %d KB of compressed script before it shows something', (name, kilobytes) => {
    const page = read(name);
    const first = [...page.matchAll(/(?:src|href)="\/mgmt\/([^"]+\.js)"/g)].map(([, script = '']) => script);
    expect(first.length).toBeGreaterThan(0);
    const bytes = first.reduce((sum, script) => sum + gzipSync(readFileSync(join(dist, script))).length, 0);
    expect(bytes).toBeLessThan(kilobytes * 1024);
  });

  it.each(['watch', 'embed', 'channel'])(
    'the %s page of viewers weighs less than 100 KB with its styles and texts, before the library that plays HLS',
    (name) => {
      const page = read(`watch/${name}.html`);
      const loaded = [...page.matchAll(/(?:src|href)="\/mgmt\/([^"]+\.(?:js|css))"/g)].map(([, file = '']) => file);
      expect(loaded.length).toBeGreaterThan(3);
      const sizes = loaded.map((file) => gzipSync(readFileSync(join(dist, file))).length);
      expect(sizes.reduce((sum, bytes) => sum + bytes, gzipSync(page).length)).toBeLessThan(100 * 1024);
      const scripts = loaded.map(read).join('\n');
      expect(scripts).not.toMatch(/Mantine|\/terraform\/v1\/mgmt\/streams/);
    },
  );

  // The page that a device keeps for the time without a connection can load nothing.
  const documents = files.filter((name) => name.endsWith('.html') && name !== 'offline.html');
  it.each(documents)('%s has no inline script, which the content security policy would refuse', (name) => {
    const scripts = [...read(name).matchAll(/<script([^>]*)>([^<]*)<\/script>/g)];
    expect(scripts.length).toBeGreaterThan(0);
    for (const [, attributes, content] of scripts) expect([attributes?.includes('src='), content]).toEqual([true, '']);
  });
});

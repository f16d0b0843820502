import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { bareContract } from './build/bare-contract.ts';
import { bundledTexts } from './build/bundled-texts.ts';
import { docsSite } from './build/docs-site.ts';
import { firstScript } from './build/first-script.ts';
import { precompress } from './build/precompress.ts';
import { smallReact } from './build/small-react.ts';

const server = 'http://127.0.0.1:2022';

/** The pages outside the console that its links lead to. */
const pages = [
  ...['player', 'xgplayer'].map((name) => `tools/${name}.html`),
  ...['srs_player', 'whep', 'whip', 'rtc_player', 'rtc_publisher'].map((name) => `players/${name}.html`),
  ...['ng_index', 'en_index'].map((name) => `console/${name}.html`),
].map((name) => join(import.meta.dirname, name));

/** Pages for viewers. They are small, so they share no file with the others. */
const viewerPages = ['watch', 'embed', 'channel'].map((name) => join(import.meta.dirname, `watch/${name}.html`));

/** Code that every page needs, in two files instead of thirty; pages and languages stay apart. Priorities are whole numbers from zero. */
const shared = (priority: number) => [
  { name: 'vendor', test: /node_modules/, minShareCount: 4, priority },
  { name: 'base', test: /packages|src[\\/](lib|components[\\/]ui)/, minShareCount: 2, priority },
];

/** Modules that the page of a stream begins with: its own, and the tiles, rows and badges that features add to it. */
const streamPage =
  /src[\\/]features[\\/](live[\\/]live-tab|streams[\\/]page[\\/]|program[\\/]program-panel|[\w-]+[\\/][\w-]+-(action|feed|badge)\.tsx)/;

export default defineConfig({
  root: import.meta.dirname,
  base: '/mgmt/',
  // Zod's own setting. Schemas are made before a module of ours could set it, and zod would try whether the page may evaluate text: the content
  // security policy refuses that, and browsers report it as a violation.
  define: { 'globalThis.__zod_globalConfig': JSON.stringify({ jitless: true }) },
  plugins: [smallReact(), react(), bareContract(), bundledTexts(), firstScript(), docsSite(), precompress()],
  build: {
    outDir: 'dist',
    // A test limits the compressed bytes that a page loads before it shows something.
    chunkSizeWarningLimit: 700,
    // Inlined files would need `data:` sources that the content security policy does not grant to scripts and styles.
    assetsInlineLimit: 0,
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                // Scripts that run first and must not wait for other code.
                { name: 'first', test: /src[\\/]lib[\\/]browser[\\/]/, priority: 5 },
                // The frame around every page, with all it imports.
                { name: 'frame', test: /src[\\/]app[\\/](startup|boot|console|providers)\.ts/, priority: 4 },
                ...shared(3),
                // The page that most people open the console with, in one file as well.
                {
                  name: 'room',
                  test: /src[\\/](app[\\/]scenario-page|features[\\/]system[\\/]overview)/,
                  priority: 2,
                },
                // Components of several pages, then what is left of the page of a stream: one file each instead of forty.
                { name: 'parts', test: /src[\\/](components|features)/, minShareCount: 2, priority: 1 },
                { name: 'stream', test: streamPage, priority: 0 },
              ],
            },
          },
        },
      },
    },
    // Built beside the console and not with it: shared files would hold what either needs, and a viewer who opens a link
    // would wait for parts of a console that is not there.
    pages: {
      consumer: 'client',
      build: {
        emptyOutDir: false,
        copyPublicDir: false,
        rolldownOptions: {
          input: pages,
          output: {
            codeSplitting: {
              groups: [
                ...shared(0),
                {
                  name: 'page',
                  test: /src[\\/](components[\\/](player|figures)|pages[\\/][^\\/]+$)/,
                  minShareCount: 2,
                },
              ],
            },
          },
        },
      },
    },
    viewers: {
      consumer: 'client',
      build: {
        emptyOutDir: false,
        copyPublicDir: false,
        rolldownOptions: {
          input: viewerPages,
          output: {
            codeSplitting: {
              groups: [
                ...shared(0),
                {
                  name: 'viewer',
                  test: /node_modules[\\/](?!hls\.js|mpegts|qrcode)|src[\\/]|packages/,
                  minShareCount: 2,
                },
              ],
            },
          },
        },
      },
    },
  },
  builder: {
    buildApp: async (builder) => {
      for (const environment of Object.values(builder.environments)) await builder.build(environment);
    },
  },
  server: { proxy: { '/terraform': server, '/api': server } },
  // A busy machine loads and draws slowly; a condition that never comes is no clearer after five seconds.
  test: {
    setupFiles: [
      '../../tests/cpu.setup.ts',
      './src/testing/setup.ts',
      '../../tests/patience.setup.ts',
      '../../tests/clean.setup.ts',
    ],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});

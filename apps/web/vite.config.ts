import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { changeLog } from './build/change-log.ts';
import { precompress } from './build/precompress.ts';

const server = 'http://127.0.0.1:2022';

export default defineConfig({
  root: import.meta.dirname,
  base: '/mgmt/',
  plugins: [react(), changeLog(), precompress()],
  build: {
    outDir: 'dist',
    // Inlined files would need `data:` sources that the content security policy does not grant to scripts and styles.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What every page needs travels in two files instead of thirty; pages and languages stay apart.
          groups: [
            { name: 'vendor', test: /node_modules/, minShareCount: 4 },
            { name: 'base', test: /packages|src[\\/](lib|components|app[\\/]paths)/, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/terraform': server, '/api': server } },
  test: { setupFiles: ['./src/testing/setup.ts'] },
});

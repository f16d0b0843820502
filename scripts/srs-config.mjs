// npm run srs-config: a configuration for SRS that fits this Weir, on standard output. `-- --weir HOST` where SRS is on another machine,
// `-- --coworkers HOST:1985,…` for one of several origins, `-- --edge HOST:1935,…` for an edge before them.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { isNodeNewEnough, root, setUp } from './setup.mjs';

async function main() {
  const { parseConfig } = await import('../packages/plane/src/config.ts');
  const { hookTokenFile, loadOrCreateToken } = await import('../apps/weir/src/hook-token.ts');
  const { srsConf } = await import('../apps/server/src/media-server/srs/srs-conf.ts');
  const { srsEdgeConf } = await import('../apps/server/src/media-server/srs/srs-edge-conf.ts');
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { weir: text, hls: text, coworkers: text, edge: text } });
  const listOf = (value) => (value === undefined ? [] : value.split(',').map((part) => part.trim()));
  const config = parseConfig({ ...process.env, WEIR_ENGINE: 'srs' }, { cwd: root, version: '' });
  if (values.edge !== undefined) {
    const edge = { rtmp: String(config.rtmp.port), http: '8080', origins: listOf(values.edge) };
    process.stdout.write(srsEdgeConf(edge));
    return;
  }
  mkdirSync(join(config.dataDir, 'config'), { recursive: true, mode: 0o700 });
  const hlsPath = values.hls ?? join(config.dataDir, 'srs');
  if (values.hls === undefined) mkdirSync(hlsPath, { recursive: true, mode: 0o700 });
  const { host = '127.0.0.1', port } = config.srs.hooks;
  const weir = values.weir ?? (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host);
  const [origin] = config.srs.origins;
  // Port that SRS listens on; the host is how Weir reaches it.
  const listen = (address, usual) => {
    const { hostname, port: given } = new URL(address);
    const isLocal = hostname === '127.0.0.1' || hostname === 'localhost';
    return `${isLocal ? '127.0.0.1:' : ''}${given || usual}`;
  };
  process.stdout.write(
    srsConf({
      rtmpPort: config.rtmp.port,
      srtPort: config.srt.port,
      rtcPort: config.rtc.port,
      srtPassphrase: config.srtPassphrase,
      api: listen(origin.api, 80),
      http: listen(origin.http, 80),
      hooks: `http://${weir.includes(':') ? `[${weir}]` : weir}:${port}/${loadOrCreateToken(hookTokenFile(config.dataDir))}`,
      hlsPath,
      coworkers: listOf(values.coworkers),
      candidate: config.candidate.split(',')[0].trim(),
    }),
  );
}

setUp('start');
if (isNodeNewEnough()) {
  await main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}

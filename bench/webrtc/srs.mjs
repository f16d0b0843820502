// SRS with the same live stream as product.mjs has, where SRS_BINARY names one that was built with WebRTC.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeMedia, startOn } from './product.mjs';

const http = 28491;
const rtmp = 29761;
const origin = `http://127.0.0.1:${http}`;

/** HTTP-FLV and the API share a port, as they do with us. */
const config = `
listen ${rtmp};
max_connections 2000;
daemon off;
srs_log_tank file;
srs_log_file ./srs.log;
srs_log_level warn;
pid ./srs.pid;
http_server { enabled on; listen ${http}; dir ./; }
http_api { enabled on; listen ${http}; }
rtc_server { enabled on; listen 28990; candidate 127.0.0.1; }
vhost __defaultVhost__ {
  rtc { enabled on; rtmp_to_rtc on; }
  http_remux { enabled on; mount [vhost]/[app]/[stream].flv; }
  play { gop_cache on; queue_length 10; }
}
`;

export async function startSrs(binary, media) {
  makeMedia(media);
  const folder = mkdtempSync(join(tmpdir(), 'weir-srs-'));
  writeFileSync(join(folder, 'srs.conf'), config);
  const srs = startOn(0, binary, ['-c', 'srs.conf'], { cwd: folder });
  const isUp = () =>
    fetch(`${origin}/api/v1/versions`)
      .then(() => true)
      .catch(() => false);
  while (!(await isUp())) {
    if (srs.exitCode !== null) throw new Error('SRS ended; was it built with WebRTC?');
    await sleep(100);
  }
  const input = ['-hide_banner', '-loglevel', 'error', '-re', '-stream_loop', '-1', '-i', media];
  const publisher = startOn(1, 'ffmpeg', [...input, '-c', 'copy', '-f', 'flv', `rtmp://127.0.0.1:${rtmp}/live/bench`]);
  await sleep(3000);
  return {
    whepUrl: `${origin}/rtc/v1/whep/?app=live&stream=bench`,
    // taskset becomes the program that it starts.
    pids: () => ({ engine: [srs.pid], workers: [] }),
    async close() {
      publisher.kill('SIGTERM');
      const gone = once(srs, 'exit');
      srs.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true });
    },
  };
}

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inputs } from './ffmpeg.fixture.ts';

const run = promisify(execFile);
/** Of Debian, where GStreamer's modules are; another python may come first on the path. */
const python = '/usr/bin/python3';

/** A real RTSP server that asks for a password (RFC 2617, digest), with a film of 40 s for each who comes. */
export class RtspCamera {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly port: number;

  private constructor(process: ChildProcess, folder: string, port: number) {
    this.#process = process;
    this.#folder = folder;
    this.port = port;
  }

  static async start(user: string, password: string): Promise<RtspCamera> {
    const folder = mkdtempSync(join(tmpdir(), 'weir-camera-'));
    const film = join(folder, 'film.mp4');
    const phone = join(folder, 'phone.mov');
    const telephone = ['-c:v', 'copy', '-c:a', 'pcm_mulaw', '-ar', '8000', '-ac', '1'];
    await run('ffmpeg', ['-v', 'error', ...inputs.both, '-t', '40', film]);
    await run('ffmpeg', ['-v', 'error', '-i', film, ...telephone, phone]);
    const script = join(import.meta.dirname, 'rtsp-camera.py');
    const child = spawn(python, [script, user, password, film, phone], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    return new RtspCamera(child, folder, Number(String(port)));
  }

  /** With a login as somebody typed it. */
  url(path: string, login: string): string {
    return `rtsp://${login}@127.0.0.1:${this.port}${path}`;
  }

  async close(): Promise<void> {
    this.#process.stdin?.end();
    if (this.#process.exitCode === null) await once(this.#process, 'exit');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

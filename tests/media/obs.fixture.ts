import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether the real OBS can be run here: Debian's `obs-studio`, `xvfb` and `xauth`. */
export function hasObs(): boolean {
  try {
    for (const program of ['obs', 'xvfb-run', 'xauth']) execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** OBS as a person runs it, on a screen that nobody sees, streaming one coloured picture and silence. */
export class Obs {
  readonly process: ChildProcess;
  readonly #home: string;
  #said = '';

  constructor(server: string, key: string) {
    this.#home = mkdtempSync(join(tmpdir(), 'weir-obs-'));
    writeProfile(join(this.#home, 'obs-studio'), { server, key });
    const obs = ['obs', '--startstreaming', '--multi', '--disable-updater', '--minimize-to-tray'];
    this.process = spawn('xvfb-run', ['-a', '-s', '-screen 0 800x600x24', ...obs], {
      env: {
        PATH: process.env.PATH,
        HOME: this.#home,
        XDG_CONFIG_HOME: this.#home,
        XDG_RUNTIME_DIR: this.#home,
        TMPDIR: this.#home,
        LIBGL_ALWAYS_SOFTWARE: '1',
        QT_QPA_PLATFORM: 'xcb',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // xvfb-run passes no signal on: the whole group is ended instead.
      detached: true,
    });
    for (const stream of [this.process.stdout, this.process.stderr])
      stream?.on('data', (chunk) => (this.#said += String(chunk)));
  }

  get said(): string {
    return this.#said;
  }

  get hasEnded(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  async close(): Promise<void> {
    if (!this.hasEnded && this.process.pid !== undefined) {
      const group = -this.process.pid;
      const ended = new Promise((resolve) => this.process.once('exit', resolve));
      process.kill(group, 'SIGTERM');
      const deadline = setTimeout(() => process.kill(group, 'SIGKILL'), 5000);
      await ended;
      clearTimeout(deadline);
    }
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Everything the first-run assistant would ask for. */
function writeProfile(home: string, { server, key }: { server: string; key: string }): void {
  const profile = join(home, 'basic/profiles/Weir');
  const scenes = join(home, 'basic/scenes');
  for (const directory of [profile, scenes]) mkdirSync(directory, { recursive: true });
  writeFileSync(
    join(home, 'global.ini'),
    [
      '[General]',
      'FirstRun=true',
      'EnableAutoUpdates=false',
      'Pre19Defaults=false',
      '[Basic]',
      'Profile=Weir',
      'ProfileDir=Weir',
      'SceneCollection=Weir',
      'SceneCollectionFile=Weir',
    ].join('\n'),
  );
  writeFileSync(
    join(profile, 'basic.ini'),
    [
      '[General]',
      'Name=Weir',
      '[Video]',
      'BaseCX=640',
      'BaseCY=360',
      'OutputCX=640',
      'OutputCY=360',
      'FPSCommon=30',
      '[Output]',
      'Mode=Simple',
      '[SimpleOutput]',
      'VBitrate=500',
      'ABitrate=96',
      'StreamEncoder=x264',
      'Preset=ultrafast',
      'UseAdvanced=true',
    ].join('\n'),
  );
  const service = { type: 'rtmp_custom', settings: { server, key, use_auth: false, bwtest: false } };
  writeFileSync(join(profile, 'service.json'), JSON.stringify(service));
  writeFileSync(join(scenes, 'Weir.json'), JSON.stringify(sceneCollection));
}

const sceneCollection = {
  name: 'Weir',
  current_scene: 'Scene',
  current_program_scene: 'Scene',
  scene_order: [{ name: 'Scene' }],
  sources: [
    { id: 'color_source_v3', name: 'Colour', settings: { color: 4_286_611_584, width: 640, height: 360 } },
    {
      id: 'scene',
      name: 'Scene',
      settings: { id_counter: 1, items: [{ id: 1, name: 'Colour', visible: true }] },
    },
  ],
};

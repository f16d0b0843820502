// Set-up that both commands need before our code can run. Plain JavaScript for any Node of the machine.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

export const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const neededNode = 24;

/** Programs by the Debian package that brings them; a package without one is looked up itself. `without` says what is missing when one is: then it is no reason to stop. */
const systemPackages = {
  start: [
    {
      program: 'ffmpeg',
      package: 'ffmpeg',
      without:
        'SRT, forwarding, virtual live, cameras, transcoding and MP4 files of recordings are off, and audio is not converted for WebRTC.',
    },
  ],
  test: [
    { program: 'chromium', package: 'chromium' },
    {
      program: 'chromium-headless-shell',
      package: 'chromium-headless-shell',
      without: 'Tests in a browser take longer.',
    },
    { program: 'ffmpeg', package: 'ffmpeg' },
    { program: 'nginx', package: 'nginx-light', service: 'nginx' },
    // An edge for RTMP, a module of nginx.
    { package: 'libnginx-mod-rtmp' },
    { program: 'openssl', package: 'openssl' },
    { program: 'pebble', package: 'pebble' },
    { program: 'redis-server', package: 'redis-server', service: 'redis-server' },
    { program: 'yt-dlp', package: 'yt-dlp' },
    // Signs releases.
    { program: 'minisign', package: 'minisign' },
    // Voices.
    { program: 'espeak-ng', package: 'espeak-ng' },
    { program: 'flite', package: 'flite' },
    // Speech of a person, with what she says.
    { package: 'asterisk-core-sounds-en' },
    { package: 'asterisk-core-sounds-en-g722' },
    { package: 'asterisk-core-sounds-es' },
    { package: 'asterisk-core-sounds-es-g722' },
    // Letters to draw, Chinese ones too.
    { package: 'fonts-dejavu-core' },
    { package: 'fonts-droid-fallback' },
    // A camera to take streams from: libraries, no programs.
    { package: 'gir1.2-gst-rtsp-server-1.0' },
    { package: 'gstreamer1.0-plugins-good' },
    { package: 'python3-gi' },
  ],
};

/** Sets up everything for a command; ends the process with an explanation when that is not possible. */
export function setUp(command) {
  ensureModules();
  ensureSystemPackages(systemPackages[command]);
}

/** npm packages, when the lockfile is newer than what npm noted at its last installation. */
function ensureModules() {
  const lock = join(root, 'package-lock.json');
  const installed = join(root, 'node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  console.log('Installing npm packages…');
  const npm = process.env.npm_execpath;
  // No installed package runs a script: everything needed comes ready made.
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const [file, args] = npm ? [process.execPath, [npm, ...options]] : ['npm', options];
  run(file, args, 'npm could not install the packages. See its output above.');
}

function ensureSystemPackages(wanted) {
  const missing = wanted.filter((entry) => !(entry.program ? isOnPath(entry.program) : isInstalled(entry.package)));
  if (missing.length === 0) return;
  const names = missing.map((entry) => entry.package);
  const losses = missing.map((entry) => entry.without);
  const giveUp = losses.every(Boolean) ? (why) => console.error(`${why}\nUntil then: ${losses.join(' ')}`) : fail;
  const install = `apt-get install -y --no-install-recommends ${names.join(' ')}`;
  if (!isOnPath('apt-get')) {
    giveUp(`Please install these missing programs: ${names.join(', ')}`);
  } else if (process.getuid?.() !== 0) {
    giveUp(`Debian packages are missing. Please run:\n\n  sudo apt-get update && sudo ${install}\n`);
  } else {
    console.log(`Installing Debian packages: ${names.join(', ')}…`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const isRead = succeeds('apt-get', ['update', '-q'], env);
    if (!isRead) giveUp('apt-get could not read the package lists.');
    else if (!succeeds('apt-get', install.split(' ').slice(1), env)) giveUp('apt-get could not install the packages.');
    else stopServices(missing.flatMap((entry) => entry.service ?? []));
  }
}

/** Debian starts a service as it installs it. Tests start the program themselves, on ports of their own. */
function stopServices(names) {
  if (names.length > 0 && existsSync('/run/systemd/system')) spawnSync('systemctl', ['disable', '--now', ...names]);
}

/**
 * Continues under the Node that this project pins, when the running one is too old. npm puts the pinned one first in
 * PATH, so this happens only in the run that installed it. Returns false when another process has taken over.
 */
export function isNodeNewEnough() {
  if (major(process.versions.node) >= neededNode) return true;
  const pinned = join(root, 'node_modules/.bin/node');
  const version = spawnSync(pinned, ['--version'], { encoding: 'utf8' }).stdout ?? '';
  if (major(version.replace(/^v/, '')) < neededNode) {
    fail(
      `Weir needs Node ${neededNode} or newer; this is ${process.versions.node}, and the bundled Node does not run on this system.\n` +
        `Please install Node ${neededNode} (https://nodejs.org) and start again.`,
    );
  }
  // The channel tells the new process when this one is gone, however it goes.
  const child = spawn(pinned, process.argv.slice(1), { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
  return false;
}

/** The console's files, when a file they are built from came, went or changed. */
export function ensureConsole() {
  ensureBuilt({
    what: 'the console',
    from: [
      'apps/web',
      'packages/contract/src',
      'packages/client/src',
      'packages/streams/src',
      'packages/media/src',
      'CHANGELOG.md',
      'docs',
    ],
    into: 'apps/web/dist',
    // Build warnings are for developers of the console, not for its users.
    args: [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error'],
    directory: 'apps/web',
  });
}

/** The launcher and the planes as one file each, by the same rule. */
export function ensurePlanes() {
  ensureBuilt({
    what: 'the server',
    from: [
      'packages',
      'apps/weir/src',
      'apps/engine/src',
      'apps/server/src',
      'apps/ai/src',
      'scripts/build-planes.mjs',
    ],
    into: 'apps/server/dist',
    args: [join(root, 'scripts/build-planes.mjs')],
  });
}

function ensureBuilt({ what, from, into, args, directory }) {
  const state = [...from, 'package-lock.json']
    .flatMap((path) => filesBelow(join(root, path)))
    .map((file) => `${file.slice(root.length)} ${statSync(file).size} ${statSync(file).mtimeMs}`)
    .join('\n');
  const stamp = join(root, into, '.built-from');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return;
  console.log(`Building ${what}…`);
  run(process.execPath, args, `Building ${what} failed.`, process.env, directory);
  writeFileSync(stamp, state);
}

function filesBelow(directory) {
  if (statSync(directory).isFile()) return [directory];
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'dist' || entry.name === 'node_modules' || /\.test\.tsx?$/.test(entry.name)) return [];
    const path = join(directory, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** Some programs stand where only root looks by default. */
function isOnPath(program) {
  return [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'].some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function isInstalled(name) {
  return /^Status: install ok installed$/m.test(spawnSync('dpkg', ['-s', name], { encoding: 'utf8' }).stdout ?? '');
}

function run(file, args, complaint, env = process.env, directory = '.') {
  if (!succeeds(file, args, env, directory)) fail(complaint);
}

function succeeds(file, args, env, directory = '.') {
  const options = { cwd: join(root, directory), stdio: ['ignore', 'inherit', 'inherit'], env };
  return spawnSync(file, args, options).status === 0;
}

function major(version) {
  return Number.parseInt(version, 10) || 0;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

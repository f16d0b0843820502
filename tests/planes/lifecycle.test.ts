import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../free-port.fixture.ts';
import { isAlive, programPost, until, Weir, workersOf } from '../weir.fixture.ts';

const mgmt = '/terraform/v1/mgmt';
let running: Weir[] = [];
async function start(env: Record<string, string> = {}, dataDir?: string): Promise<Weir> {
  const weir = await Weir.start(env, dataDir);
  running.push(weir);
  return weir;
}
afterEach(async () => {
  await Promise.all(running.map((weir) => weir.close()));
  running = [];
});

describe('the start of the product', () => {
  it('serves the console and the API, and prints the addresses to open', async () => {
    const weir = await start();
    expect((await fetch(`${weir.origin}/mgmt/`)).status).toBe(200);
    expect((await weir.post(`${mgmt}/check`)).data).toEqual({ upgrading: false, init: false });
    const urls = (msg: string) => weir.records(msg).map(({ url }) => String(url));
    expect(urls('setup URL')[0]).toMatch(new RegExp(`^${weir.origin}/mgmt/\\?code=[0-9a-f]{20}$`));
    expect(urls('sign-in URL')[0]).toBe(`${weir.origin}/mgmt/?adminSystemBadass`);
    expect(statSync(weir.dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(weir.dataDir, 'weir.db')).mode & 0o777).toBe(0o600);
  });

  it('stores nothing in the data directory that the documentation does not name', async () => {
    const weir = await start();
    await weir.setUp();
    const page = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8');
    const [, table = ''] = page.split('## Your data');
    const names = readdirSync(weir.dataDir, { withFileTypes: true }).map((entry) =>
      entry.isDirectory() ? `${entry.name}/` : entry.name.replace(/(?<=^(words|timeline)\.db)-(wal|shm)$/, ''),
    );
    expect(names.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
  });

  it('fails early when a variable is invalid, and names it', async () => {
    const weir = Weir.launch({ MGMT_LISTEN: 'eighty' });
    running.push(weir);
    const [code] = await once(weir.process, 'exit');
    expect(code).toBe(1);
    expect(weir.output).toContain('MGMT_LISTEN');
  });

  it('names the port that is in use and the variable to change', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const weir = Weir.launch({ MGMT_LISTEN: `127.0.0.1:${port}` });
    running.push(weir);
    const [code] = await once(weir.process, 'exit');
    other.close();
    expect(code).toBe(1);
    expect(weir.records('start failed')[0]?.reason).toMatch(new RegExp(`${port}.*MGMT_LISTEN`, 's'));
  });

  it('refuses a data directory that another Weir uses, and leaves that one alone', async () => {
    const first = await start();
    const second = Weir.launch({}, first.dataDir);
    const [code] = await once(second.process, 'exit');
    expect(code).toBe(1);
    expect(second.output).toContain('Another Weir is already running');
    expect((await first.post(`${mgmt}/check`)).status).toBe(200);
  });

  it('works in a data directory deeper than a socket path may be long', async () => {
    const deep = join(mkdtempSync(join(tmpdir(), 'weir-deep-')), 'd'.repeat(100), 'data');
    const weir = await start({}, deep);
    expect((await weir.post(`${mgmt}/check`)).status).toBe(200);
    rmSync(join(deep, '../..'), { recursive: true, force: true });
  });

  it('succeeds without usable settings, answers 1007, and recovers when they are usable', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'weir-broken-'));
    mkdirSync(join(dataDir, 'weir.db'));
    const weir = await start({}, dataDir);
    expect((await fetch(`${weir.origin}/mgmt/`)).status).toBe(200);
    expect(await weir.post(`${mgmt}/check`)).toMatchObject({ status: 500, code: 1007 });
    const password = 'the password';
    expect(await programPost(weir, `${mgmt}/init`, { password })).toMatchObject({ status: 500, code: 1007 });
    rmSync(join(dataDir, 'weir.db'), { recursive: true });
    expect((await programPost(weir, `${mgmt}/init`, { password })).status).toBe(200);
  });

  it('keeps the set-up code from one start to the next, until it is used', async () => {
    const first = await start();
    const { dataDir, setupCode } = first;
    first.process.kill('SIGTERM');
    await once(first.process, 'exit');
    const second = await start({}, dataDir);
    expect(second.setupCode).toBe(setupCode);
    await second.setUp();
    second.process.kill('SIGTERM');
    await once(second.process, 'exit');
    const third = await start({}, dataDir);
    expect(third.records('setup URL')).toEqual([]);
  });
});

describe('stopping', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s ends everything within 5 s and leaves nothing behind',
    async (signal) => {
      const weir = await start();
      const planes = [weir.pidOf('engine'), weir.pidOf('server')];
      // A client that never finishes its request must not hold up the end.
      const hanging = connect(weir.httpPort, '127.0.0.1');
      await once(hanging, 'connect');
      hanging.on('error', () => undefined);
      hanging.write(`POST ${mgmt}/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{`);
      const before = Date.now();
      weir.process.kill(signal);
      const [code] = await once(weir.process, 'exit');
      expect(Date.now() - before).toBeLessThan(5000);
      expect(code).toBe(0);
      expect(planes.filter(isAlive)).toEqual([]);
      expect(weir.records('stopped')).toHaveLength(1);
      hanging.destroy();
    },
  );
});

describe('kill -9', () => {
  it('of the server answers 503 with Retry-After at once, then everything is as before', async () => {
    const weir = await start();
    const session = await weir.setUp();
    const auth = { authorization: `Bearer ${session.bearer}` };
    await weir.post(`${mgmt}/beian/update`, { beian: 'title', text: 'kept' }, auth);
    const engine = weir.pidOf('engine');
    const server = weir.pidOf('server');
    process.kill(server, 'SIGKILL');
    await until(() => !isAlive(server), 'server gone');

    const before = Date.now();
    const refused = await weir.post(`${mgmt}/check`);
    expect(Date.now() - before).toBeLessThan(1000);
    expect(refused).toMatchObject({ status: 503, code: 1, data: { message: expect.any(String) } });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('content-type')).toContain('application/json');

    await until(async () => (await weir.post(`${mgmt}/check`)).status === 200, 'server back');
    expect(weir.pidOf('engine')).toBe(engine);
    expect((await weir.post(`${mgmt}/beian/query`)).data.title).toBe('kept');
    expect((await weir.post(`${mgmt}/status`, {}, auth)).status).toBe(200);
  });

  it('of the engine restarts it within two seconds, ends its worker, and leaves the server untouched', async () => {
    // A named port, so that the engine that comes back has the same.
    const weir = await start({ MGMT_LISTEN: `127.0.0.1:${await freePort()}` });
    const server = weir.pidOf('server');
    const engine = weir.pidOf('engine');
    const caller = createSocket('udp4');
    caller.send('anything', weir.srtPort, '127.0.0.1');
    await until(() => workersOf(engine, 'srt').length === 1, 'a worker');
    const [worker = 0] = workersOf(engine, 'srt');
    caller.close();
    const before = Date.now();
    process.kill(engine, 'SIGKILL');
    const answers = () => fetch(`${weir.origin}/terraform/v1/host/versions`).then((r) => r.status === 200);
    await until(() => !isAlive(engine), 'engine gone');
    await until(() => answers().catch(() => false), 'engine back', 5000);
    expect(Date.now() - before).toBeLessThan(2000);
    expect(weir.pidOf('server')).toBe(server);
    await until(() => !isAlive(worker), 'its worker gone');
  });

  it('of the server repeatedly delays each restart longer, and it still comes back', async () => {
    const weir = await start();
    for (let round = 1; round <= 3; round++) {
      const server = weir.pidOf('server');
      process.kill(server, 'SIGKILL');
      await until(() => weir.records('process exited, restarting it').length === round, `restart ${round}`);
      await weir.replaced('server', server);
    }
    const delays = weir.records('process exited, restarting it').map(({ delayMs }) => Number(delayMs));
    expect(delays[2]).toBeGreaterThan(delays[0] ?? 0);
    await until(async () => (await weir.post(`${mgmt}/check`)).status === 200, 'server back');
  });

  it('of the launcher ends both planes within 5 s', async () => {
    const weir = await start();
    const planes = [weir.pidOf('engine'), weir.pidOf('server')];
    weir.process.kill('SIGKILL');
    await until(() => planes.every((pid) => !isAlive(pid)), 'planes gone', 5000);
    const again = await start({}, weir.dataDir);
    expect((await again.post(`${mgmt}/check`)).status).toBe(200);
  });
});

import { describe, expect, it } from 'vitest';
import { filesBelow, importsOf, read } from './source.fixture.ts';

const sources = [...filesBelow('packages', ['.ts', '.tsx']), ...filesBelow('apps', ['.ts', '.tsx'])];
const product = sources.filter((path) => !/\.(test|fixture)\.tsx?$/.test(path));

/** Packages that each part may use. Node's modules are allowed everywhere but in streams, engine-api, contract, client and web. */
const mayUse: Record<string, readonly string[]> = {
  'packages/streams': [],
  'packages/engine-api': ['@weir/streams'],
  'packages/contract': ['@weir/streams'],
  'packages/client': ['@weir/contract'],
  'packages/diagnose': ['@weir/contract', '@weir/streams'],
  'packages/media': ['@weir/streams'],
  'packages/plane': ['@weir/streams'],
  'packages/process': ['@weir/plane', '@weir/streams'],
  'packages/local-ai': ['@weir/process'],
  'apps/ai': ['@weir/local-ai', '@weir/media', '@weir/plane', '@weir/process'],
  'apps/weir': ['@weir/plane', '@weir/process', '@weir/streams'],
  'apps/engine': ['@weir/engine-api', '@weir/streams', '@weir/plane', '@weir/media', '@weir/process'],
  'apps/server': [
    '@weir/diagnose',
    '@weir/engine-api',
    '@weir/streams',
    '@weir/local-ai',
    '@weir/plane',
    '@weir/contract',
    '@weir/media',
    '@weir/process',
  ],
  'apps/web': ['@weir/streams', '@weir/contract', '@weir/client', '@weir/media'],
};
const partOf = (path: string) => path.split('/').slice(0, 2).join('/');
const inPart = (part: string) => product.filter((path) => partOf(path) === part);

/** `file -> import` for every import that breaks a rule: an empty list reads well, a broken rule names its place. */
function offences(files: readonly string[], isOffence: (imported: string, file: string) => boolean): string[] {
  return files.flatMap((file) =>
    importsOf(file)
      .filter((imported) => isOffence(imported, file))
      .map((imported) => `${file} -> ${imported}`),
  );
}

describe('import zones', () => {
  it('cover every part of the repository', () => {
    expect(Object.keys(mayUse).sort()).toEqual([...new Set(product.map(partOf))].sort());
  });

  it.each(Object.entries(mayUse))('%s uses only %j of ours, by its package name', (part, allowed) => {
    const isOurs = (imported: string) => imported.startsWith('@weir/') || /^(packages|apps)\//.test(imported);
    const isOwn = (imported: string) => imported.startsWith(`${part}/`);
    expect(
      offences(inPart(part), (imported) => isOurs(imported) && !isOwn(imported) && !allowed.includes(imported)),
    ).toEqual([]);
  });

  it('contract imports only zod, client only its event parser, the other shared packages nothing; all run anywhere', () => {
    const outside = (imported: string) => !imported.startsWith('packages/') && !imported.startsWith('@weir/');
    expect(offences(inPart('packages/contract'), (imported) => outside(imported) && imported !== 'zod')).toEqual([]);
    expect(offences(inPart('packages/streams'), outside)).toEqual([]);
    expect(offences(inPart('packages/engine-api'), outside)).toEqual([]);
    const isEventParser = (imported: string) => imported === 'eventsource-parser';
    expect(offences(inPart('packages/client'), (imported) => outside(imported) && !isEventParser(imported))).toEqual(
      [],
    );
    expect(offences(inPart('packages/diagnose'), outside)).toEqual([]);
    const media = inPart('apps/web').filter((path) => /@weir\/media(?!\/(?:sample-ring|wav)')/.test(read(path)));
    expect(media).toEqual([]);
    const page = inPart('apps/web').filter((path) => path.startsWith('apps/web/src/'));
    expect(offences(page, (imported) => imported.startsWith('node:'))).toEqual([]);
  });

  it('the engine loads no zod, directly or through a package', () => {
    const parts = new Set(['apps/engine']);
    for (const part of parts) {
      for (const used of mayUse[part] ?? []) parts.add(used.replace('@weir', 'packages'));
    }
    expect(offences([...parts].flatMap(inPart), (imported) => /^zod(\/|$)/.test(imported))).toEqual([]);
  });

  it('paths and headers of the calls between the planes are written in engine-api only', () => {
    const isPrivate = /['"`]\/weir\/v1\/|\/hooks\/srs\/(verify|hls)\b|['"`]x-weir-(hook|peer|connection|accepted)\b/i;
    const others = product.filter((path) => partOf(path) !== 'packages/engine-api');
    expect(others.filter((path) => isPrivate.test(read(path)))).toEqual([]);
  });

  it('inside the server imports point from features to mechanisms to core', () => {
    const rank = (path: string) => {
      const [folder = ''] = path.replace('apps/server/src/', '').split('/');
      const known = ['core', 'mechanism', 'feature.ts', 'features', 'app'];
      return known.indexOf(known.includes(folder) ? folder : folder.endsWith('.ts') ? 'app' : 'mechanism');
    };
    const own = (imported: string) => imported.startsWith('apps/server/src/');
    expect(offences(inPart('apps/server'), (imported, file) => own(imported) && rank(imported) > rank(file))).toEqual(
      [],
    );
  });

  it('a feature of the server does not import another', () => {
    const feature = (path: string) => /apps\/server\/src\/features\/([^/]+)/.exec(path)?.[1];
    const isForeign = (imported: string, file: string) =>
      feature(imported) !== undefined && feature(file) !== undefined && feature(imported) !== feature(file);
    expect(offences(inPart('apps/server'), isForeign)).toEqual([]);
  });

  it('inside the engine imports point from doors to servers to packagers and workers to the hub and to delivery', () => {
    const floors = [['delivery'], ['hub', 'http'], ['packagers', 'workers'], ['servers'], ['front-door', 'api']];
    const inside = (path: string) => path.replace('apps/engine/src/', '').split('/');
    const floorOf = (path: string) => {
      const [room = ''] = inside(path);
      return room.endsWith('.ts') ? floors.length : floors.findIndex((rooms) => rooms.includes(room));
    };
    const own = (imported: string) => imported.startsWith('apps/engine/src/');
    const isUpwards = (imported: string, file: string) =>
      floorOf(imported) > floorOf(file) ||
      (floorOf(imported) === floorOf(file) && inside(imported)[0] !== inside(file)[0]);
    const isOffence = (imported: string, file: string) =>
      own(imported) && !file.endsWith('main.ts') && isUpwards(imported, file);
    expect(inPart('apps/engine').filter((path) => floorOf(path) < 0)).toEqual([]);
    expect(offences(inPart('apps/engine'), isOffence)).toEqual([]);
  });

  it('a protocol of the engine does not import another, nor does a packager', () => {
    const room = (path: string) => /apps\/engine\/src\/(?:servers|packagers)\/([^/]+)\//.exec(path)?.[1];
    const kind = (path: string) => path.split('/')[3];
    const isForeign = (imported: string, file: string) =>
      kind(imported) === kind(file) && room(imported) !== undefined && room(imported) !== room(file);
    expect(offences(inPart('apps/engine'), isForeign)).toEqual([]);
  });

  describe('inside the console', () => {
    const web = 'apps/web/src/';
    const own = inPart('apps/web').filter((path) => path.startsWith(web));
    /** `features`, `hooks` of `features/hooks/hooks-tab.tsx`. */
    const folder = (path: string) => path.slice(web.length).split('/')[0] ?? '';
    const room = (path: string) => path.slice(web.length).split('/').slice(1, -1)[0] ?? '';
    /**
     * Folders that each folder may use beside itself. The player and publisher pages are separate from the console.
     */
    const mayUse: Record<string, readonly string[]> = {
      'main.tsx': ['app', 'components', 'lib'],
      app: ['features', 'components', 'lib', 'locales'],
      features: ['components', 'lib'],
      pages: ['components', 'lib', 'locales'],
      components: ['lib'],
      lib: ['locales'],
      locales: [],
    };

    it('imports point from app to features to components to lib', () => {
      const files = own.filter((path) => folder(path) !== 'testing');
      expect([...new Set(files.map(folder))].sort()).toEqual(Object.keys(mayUse).sort());
      const isUpward = (imported: string, file: string) =>
        imported.startsWith(web) &&
        folder(imported) !== folder(file) &&
        !mayUse[folder(file)]?.includes(folder(imported));
      expect(offences(files, isUpward)).toEqual([]);
    });

    it.each(['features', 'pages'])('one of the %s does not import another', (kind) => {
      const isForeign = (imported: string, file: string) =>
        imported.startsWith(`${web}${kind}/`) && !['', room(file)].includes(room(imported));
      expect(
        offences(
          own.filter((path) => folder(path) === kind),
          isForeign,
        ),
      ).toEqual([]);
    });

    it('shared components have no import cycle, and the primitives import none of the others', () => {
      const uses = new Map<string, Set<string>>();
      for (const file of own.filter((path) => folder(path) === 'components')) {
        const used = importsOf(file).filter((imported) => imported.startsWith(`${web}components/`));
        uses.set(room(file), new Set([...(uses.get(room(file)) ?? []), ...used.map(room)]));
      }
      for (const [name, used] of uses) used.delete(name);
      expect([...(uses.get('ui') ?? [])]).toEqual([]);
      // Rooms that use only what is already known to be free of circles are free of them as well.
      const free = new Set<string>();
      for (let before = -1; before < free.size; ) {
        before = free.size;
        for (const [name, used] of uses) if ([...used].every((other) => free.has(other))) free.add(name);
      }
      expect([...uses.keys()].filter((name) => !free.has(name))).toEqual([]);
    });
  });

  it('only packages/process starts processes, and only the store knows its database', () => {
    const starters = product.filter((path) => importsOf(path).includes('node:child_process'));
    expect([...new Set(starters.map(partOf))].sort()).toEqual(['packages/process']);
    const readers = product.filter((path) => importsOf(path).includes('node:sqlite'));
    expect(readers.filter((path) => !path.startsWith('apps/server/src/core/store/'))).toEqual([]);
    const clients = product.filter((path) => importsOf(path).includes('@redis/client'));
    expect(clients).toEqual(['apps/server/src/core/store/redis/redis-connection.ts']);
    // Loaded with the first connection: the default product has no Redis.
    expect(read(clients[0] ?? '')).not.toMatch(/from '@redis\/client'/);
  });

  it('only the outgoing client of the server connects to machines that others name', () => {
    const ways = ['node:https', 'apps/server/src/core/secure-modules.ts'];
    const asks = (path: string) =>
      importsOf(path).some((imported) => ways.includes(imported)) || /\bfetch\(/.test(read(path));
    const callers = inPart('apps/server').filter(asks);
    // The certificate authority and the other server of a pair are named by whoever starts the server.
    const isOwn = (path: string) =>
      path.startsWith('apps/server/src/core/outgoing/') ||
      /\/(acme-issuer|pem-pair|secure-modules|standby-server)\.ts$/.test(path);
    expect(callers.filter((path) => !isOwn(path))).toEqual([]);
  });

  it('only the launcher reads the environment', () => {
    expect(product.filter((path) => /\bprocess\.env\b/.test(read(path)))).toEqual(['apps/weir/src/main.ts']);
  });
});

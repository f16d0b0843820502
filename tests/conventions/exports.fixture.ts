import { dirname, join, relative } from 'node:path';
import { read, root } from './source.fixture.ts';

/** Exports and imports of a source file. */
interface Source {
  /** By the name that others import. */
  readonly exports: ReadonlyMap<string, Origin>;
  /** Files whose exports it passes on as they are. */
  readonly passesOn: readonly string[];
  readonly takes: readonly Taken[];
}

/** Origin of an exported name: undefined for this file, else another file, where it may have another name. */
type Origin = { readonly file: string; readonly name: string } | undefined;

/** `*`: as a whole, or in a way that does not tell names. */
interface Taken {
  readonly file: string;
  readonly name: string;
}

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|interface|type|enum) ([\w$]+)/gm;
const list = /^export (?:type )?\{([^}]*)\}(?: from '([^']+)')?/gm;
const whole = /^export \* from '([^']+)'/gm;
const named = /^import (?:type )?(?:[\w$]+, )?\{([^}]*)\} from '([^']+)'/gm;
const namespace = /^import (?:type )?\* as [\w$]+ from '([^']+)'/gm;
/** Also of types: `import('./x.ts').X`. */
const destructured = /\{([^{}]*)\} = await import\('([^']+)'\)/g;
const dynamic = /import\(\s*'([^']+)'\s*\)/g;

/** `file: name` for every export that no other file imports; a package's list counts for nobody inside it. */
export function unusedExports(paths: readonly string[]): string[] {
  const sources = new Map(paths.map((path) => [path, readSource(path)]));
  const used = new Set<string>();
  const use = (file: string, name: string): void => {
    const source = sources.get(file);
    if (!source || used.has(`${file}: ${name}`)) return;
    used.add(`${file}: ${name}`);
    if (name === '*') for (const each of source.exports.keys()) use(file, each);
    const origin = source.exports.get(name);
    if (origin) use(origin.file, origin.name);
    // A star export does not say which file a name is in.
    if (!source.exports.has(name)) for (const next of source.passesOn) use(next, name);
  };
  for (const { takes } of sources.values()) for (const { file, name } of takes) use(file, name);
  return [...sources].flatMap(([file, { exports }]) =>
    [...exports.keys()].map((name) => `${file}: ${name}`).filter((entry) => !used.has(entry)),
  );
}

function readSource(path: string): Source {
  const text = read(path);
  const exports = new Map<string, Origin>();
  for (const [, name = ''] of text.matchAll(declaration)) exports.set(name, undefined);
  for (const [, names = '', from] of text.matchAll(list)) {
    for (const { name, as } of namesOf(names)) exports.set(as, from ? { file: resolve(path, from), name } : undefined);
  }
  const takes = [...text.matchAll(named), ...text.matchAll(destructured)].flatMap(([, names = '', from = '']) =>
    namesOf(names).map(({ name }) => ({ file: resolve(path, from), name })),
  );
  const told = new Set([...text.matchAll(destructured)].map(([, , from]) => from));
  const wholes = [...text.matchAll(namespace), ...text.matchAll(dynamic)].filter(([, from]) => !told.has(from));
  return {
    exports,
    passesOn: [...text.matchAll(whole)].map(([, from = '']) => resolve(path, from)),
    takes: [...takes, ...wholes.map(([, from = '']) => ({ file: resolve(path, from), name: '*' }))],
  };
}

/** `a, type B, c as d` */
function namesOf(names: string): { name: string; as: string }[] {
  const parts = names.split(',').map((part) => part.trim().replace(/^type /, ''));
  return parts
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', as = name] = part.split(/ as |: /);
      return { name, as };
    });
}

/** Own files as paths from the root; external packages by name. */
function resolve(path: string, specifier: string): string {
  if (specifier.startsWith('.')) return relative(root, join(root, dirname(path), specifier));
  const [, name, entry = ''] = /^@weir\/([^/]+)(\/.*)?$/.exec(specifier) ?? [];
  if (name === undefined) return specifier;
  const target = (JSON.parse(read(`packages/${name}/package.json`)) as { exports: Record<string, string> }).exports;
  return join(`packages/${name}`, target[`.${entry}`] ?? '');
}

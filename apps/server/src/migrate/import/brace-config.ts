/** A directive of nginx's and SRS's configuration: `name args;` or `name args { … }`. */
export interface Directive {
  readonly name: string;
  readonly args: readonly string[];
  readonly children: readonly Directive[];
}

const mostDirectives = 20_000;
const mostDepth = 20;

/** The file is no configuration of this kind. */
export class ConfigTextError extends Error {
  override readonly name = 'ConfigTextError';
}

/** Reads blocks in braces. Included files are not followed: the directive is in the result like any other. */
export function parseBraceConfig(text: string): Directive[] {
  const tokens = tokenize(text);
  let at = 0;
  let count = 0;
  const block = (depth: number): Directive[] => {
    if (depth > mostDepth) throw new ConfigTextError('blocks are nested too deeply');
    const found: Directive[] = [];
    while (at < tokens.length && tokens[at] !== '}') {
      const words: string[] = [];
      while (at < tokens.length && !isSign(tokens[at])) words.push(wordOf(tokens[at++]));
      const end = tokens[at++];
      const [name = '', ...args] = words;
      if (end === '}' || end === undefined || name === '') throw new ConfigTextError('a directive has no end');
      count += 1;
      if (count > mostDirectives) throw new ConfigTextError('there are too many directives');
      const children = end === '{' ? block(depth + 1) : [];
      if (end === '{' && tokens[at++] !== '}') throw new ConfigTextError('a block has no end');
      found.push({ name, args, children });
    }
    return found;
  };
  const all = block(0);
  if (at < tokens.length) throw new ConfigTextError('a block ends that never began');
  return all;
}

/** Quoted words keep a mark, so that a quoted brace is no sign. */
const quoteMark = '\0';

function isSign(token: string | undefined): boolean {
  return token === '{' || token === '}' || token === ';';
}

function wordOf(token: string | undefined): string {
  return (token ?? '').replace(quoteMark, '');
}

function tokenize(text: string): string[] {
  const pattern = /#[^\n]*|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|[{};]|[^\s{};"'#][^\s{};]*/g;
  return Array.from(text.matchAll(pattern)).flatMap(([token, double, single]) => {
    if (token.startsWith('#')) return [];
    const quoted = double ?? single;
    return [quoted === undefined ? token : quoteMark + quoted.replace(/\\(.)/g, '$1')];
  });
}

/** Directives of this name, at this level. */
export function named(directives: readonly Directive[], name: string): Directive[] {
  return directives.filter((directive) => directive.name === name);
}

/** First argument of the last directive of this name. */
export function argumentOf(directives: readonly Directive[], name: string): string | undefined {
  return named(directives, name).at(-1)?.args[0];
}

export function isOn(value: unknown): boolean {
  return value === true || /^(?:on|yes|true|all)$/i.test(String(value ?? ''));
}

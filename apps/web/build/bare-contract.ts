import { type ESTree, type Plugin, parseAst } from 'vite';

type Node = ESTree.Node;

/** Builders of endpoints in the contract. */
const builders = new Set(['get', 'post', 'room']);

interface Edit {
  readonly at: number;
  readonly until: number;
  readonly text: string;
}

/**
 * Leaves of every endpoint of the contract its method and path, which is all that a browser calls it with, and marks what a module makes as
 * made for nothing else: schemas that nobody names are then left out. To make those of the whole API took longer than anything else before
 * the first paint.
 */
export function bareContract(): Plugin {
  return {
    name: 'weir:bare-contract',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /packages\/contract\/src\/.*\.ts$/ },
      handler: (code) => ({ code: edited(code, editsOf(parseAst(code))), map: null }),
    },
  };
}

function editsOf({ body }: ESTree.Program): Edit[] {
  const edits: Edit[] = [];
  for (const statement of body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type !== 'VariableDeclaration') continue;
    for (const { init } of declared.declarations) {
      if (!init || !['CallExpression', 'ObjectExpression', 'ArrayExpression'].includes(init.type)) continue;
      edits.push({ at: init.start, until: init.start, text: '/* @__PURE__ */ (() => (' });
      walk(init, (node) => edits.push(...bare(node)));
      edits.push({ at: init.end, until: init.end, text: '))()' });
    }
  }
  return edits;
}

function bare(node: Node): Edit[] {
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return [];
  const [, options] = node.arguments;
  if (!builders.has(node.callee.name) || !options) return [];
  return [{ at: options.start, until: options.end, text: '{}' }];
}

function edited(code: string, edits: readonly Edit[]): string {
  let text = '';
  let done = 0;
  for (const { at, until, text: put } of edits.toSorted((a, b) => a.at - b.at)) {
    text += code.slice(done, at) + put;
    done = until;
  }
  return text + code.slice(done);
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && 'type' in child) walk(child as Node, visit);
    }
  }
}

/** The build tells in the page which files these parts are in; while developing there are none. */
const attribute = 'data-parts';

/** Has the browser fetch and read code that the console will ask for. */
export function preloadModules(names: readonly string[]): void {
  const text = document.querySelector(`script[${attribute}]`)?.getAttribute(attribute);
  const parts: Record<string, readonly string[]> = JSON.parse(text ?? '{}');
  for (const href of names.flatMap((name) => parts[name] ?? [])) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.href = href;
    document.head.append(link);
  }
}

import { createContext, use, useEffect, useLayoutEffect } from 'react';

/** Open pages in the order of opening. Each entry is an object, because two pages may have the same title. */
const opened: { readonly text: string }[] = [];
let site = '';

const separator = ' · ';

function show(): void {
  document.title = [opened.at(-1)?.text, site].filter(Boolean).join(separator);
}

/** Names the page in the browser's tab, before the site: the most particular part first. */
export function usePageTitle(parts: readonly string[]): void {
  const text = parts.filter((part) => part !== '').join(separator);
  useEffect(() => {
    const entry = { text };
    opened.push(entry);
    show();
    return () => {
      opened.splice(opened.indexOf(entry), 1);
      show();
    };
  }, [text]);
}

/** Names the site in the browser's tab. */
export function useSiteInTitle(name: string): void {
  useEffect(() => {
    site = name;
    show();
  }, [name]);
}

/** Adds the state of a page to its title; undefined removes it. */
export const TitleStateContext = createContext<(state: string | undefined) => void>(() => undefined);

/** Names the state of the page in the browser's tab. Of no effect outside the head of a page. */
export function useTitleState(state: string): void {
  const show = use(TitleStateContext);
  useLayoutEffect(() => {
    show(state);
    return () => show(undefined);
  }, [show, state]);
}

import type { Branding, ListedChannel, WatchedStream } from '@weir/contract';

/** Data that the server wrote into the page. */
export type PageData =
  | { readonly kind: 'stream'; readonly stream: WatchedStream }
  | { readonly kind: 'channel'; readonly channel: ListedChannel }
  | { readonly kind: 'unknown'; readonly site: Branding };

export function readPageData(): PageData {
  return JSON.parse(document.getElementById('page-data')?.textContent ?? '') as PageData;
}

/**
 * The playback token of the link that opened this page. It leaves the address bar at once, so that it is not in the history or in pictures of
 * the screen; a reload finds it in the storage of the tab.
 */
export function takeToken(playback: string): string {
  const url = new URL(window.location.href);
  const given = url.searchParams.get('token');
  if (given === null) return readSession(playback);
  saveToken(playback, given);
  url.searchParams.delete('token');
  window.history.replaceState(null, '', url);
  return given;
}

export function saveToken(playback: string, token: string): void {
  try {
    sessionStorage.setItem(keyOf(playback), token);
  } catch {
    // Frames of other sites may have no storage; the token lasts until a reload.
  }
}

function readSession(playback: string): string {
  try {
    return sessionStorage.getItem(keyOf(playback)) ?? '';
  } catch {
    return '';
  }
}

function keyOf(playback: string): string {
  return `WEIR_WATCH_${playback}`;
}

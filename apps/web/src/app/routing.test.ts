import { describe, expect, it } from 'vitest';
import { isPopout, parseAddress, selectScreen, withLocale } from './routing.ts';

const at = (path: string) => {
  const { pathname, search, hash } = new URL(path, 'http://x');
  return { pathname, search, hash };
};

describe('parseAddress', () => {
  it.each([
    ['/', '/zh/routers-login'],
    ['/?adminSystemBadass', '/zh/routers-login?adminSystemBadass'],
    ['/routers-settings?tab=beian', '/zh/routers-settings?tab=beian'],
    ['/fr/routers-settings?tab=beian', '/zh/routers-settings?tab=beian'],
    ['/pt-BR/routers-login', '/zh/routers-login'],
    ['/routers-scenario#disk', '/zh/routers-scenario#disk'],
    ['/some/where', '/zh/some/where'],
  ])('redirects %s to %s', (from, to) => {
    expect(parseAddress(at(from), 'zh')).toEqual({ kind: 'redirect', to });
  });

  it('prefers the language of the address', () => {
    expect(parseAddress(at('/en/routers-contact'), 'zh')).toEqual({
      kind: 'place',
      locale: 'en',
      route: 'routers-contact',
    });
  });

  it('accepts an address with only a language', () => {
    expect(parseAddress(at('/en'), 'zh')).toEqual({ kind: 'place', locale: 'en', route: '' });
  });
});

describe('selectScreen', () => {
  const fresh = { initialised: false, signedIn: false };
  const stranger = { initialised: true, signedIn: false };
  const admin = { initialised: true, signedIn: true };

  it.each([
    ['routers-settings', fresh, 'setup'],
    ['routers-popout', fresh, 'setup'],
    ['routers-setup', fresh, 'setup'],
    ['routers-settings', stranger, 'login'],
    ['routers-logout', stranger, 'login'],
    ['routers-popout', stranger, 'talk'],
    ['routers-popout', admin, 'talk'],
    ['routers-scenario', admin, 'scenario'],
    ['routers-settings', admin, 'settings'],
    ['routers-components', admin, 'components'],
    ['routers-contact', admin, 'contact'],
    ['routers-logout', admin, 'logout'],
    ['routers-login', admin, 'login'],
    ['routers-setup', admin, 'login'],
    ['', admin, 'login'],
  ] as const)('shows %s with %o as %s', (route, state, screen) => {
    expect(selectScreen(route, state)).toBe(screen);
  });
});

it('changes only the language of an address', () => {
  expect(withLocale(at('/en/routers-settings?tab=beian#x'), 'zh')).toBe('/zh/routers-settings?tab=beian#x');
});

it('hides the shell only for popout=1', () => {
  expect(isPopout('?app=x&popout=1')).toBe(true);
  expect(isPopout('?popout=0')).toBe(false);
  expect(isPopout('')).toBe(false);
});

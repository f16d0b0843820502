import { parseDocument } from 'yaml';
import { isRecord } from '../../core/json.ts';
import { ConfigTextError, isOn } from './brace-config.ts';
import { type ImportPart, left } from './import-part.ts';
import { portNotes, pullPart, recordPart } from './import-rows.ts';

const mostPaths = 500;
const programs = /^runOn/;

/** `mediamtx.yml`. Aliases of YAML, by which a small file can become a large one, are refused. */
export function importMediamtx(text: string, now: Date): ImportPart[] {
  const document = parseDocument(text, { version: '1.2', uniqueKeys: true, logLevel: 'silent' });
  if (document.errors.length > 0) throw new ConfigTextError('the file is not valid YAML');
  const all: unknown = toValue(() => document.toJS({ maxAliasCount: 0 }));
  if (!isRecord(all) || !('paths' in all)) throw new ConfigTextError('the file has no paths');
  const text1 = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const parts: ImportPart[] = portNotes([
    ['WEIR_RTMP_LISTEN', text1(all.rtmpAddress), '1935'],
    ['WEIR_SRT_LISTEN', text1(all.srtAddress), '10080'],
    ['WEIR_RTC_LISTEN', text1(all.webrtcLocalUDPAddress), '8000'],
  ]);
  if (Array.isArray(all.authInternalUsers)) parts.push(left('users', 'noPasswords'));
  for (const name of ['authHTTPAddress', 'externalAuthenticationURL'])
    if (text1(all[name])) parts.push(left('httpAuth', 'otherCallbacks'));
  const defaults = isRecord(all.pathDefaults) ? all.pathDefaults : {};
  const paths = isRecord(all.paths) ? Object.entries(all.paths) : [];
  if (paths.length > mostPaths) throw new ConfigTextError('the file has too many paths');
  const globs: string[] = [];
  let number = 10;
  for (const [name, value] of paths) {
    const settings = { ...defaults, ...(isRecord(value) ? value : {}) };
    const isPattern = name.startsWith('~') || name === 'all' || name === 'all_others';
    const source = text1(settings.source) ?? 'publisher';
    if (/^\w+:\/\//.test(source)) parts.push(pullPart({ url: source, name }, number++, now));
    else if (source !== 'publisher' && source !== 'redirect') parts.push(left(['source', name], 'badSource'));
    if (isOn(settings.record)) {
      if (isPattern && name.startsWith('~')) parts.push(left(['recordOf', name], 'noPattern'));
      else globs.push(isPattern ? '/*/*' : name.includes('/') ? `/${name}` : `/live/${name}`);
    }
    for (const key of Object.keys(settings).filter((each) => programs.test(each) && settings[each] !== ''))
      parts.push(left(['entry', `${name} ${key}`], 'noPrograms'));
  }
  return globs.length > 0 ? [recordPart(globs.includes('/*/*') ? 'all' : globs), ...parts] : parts;
}

function toValue(read: () => unknown): unknown {
  try {
    return read();
  } catch (cause) {
    throw new ConfigTextError('the file uses aliases, which are not read', { cause });
  }
}

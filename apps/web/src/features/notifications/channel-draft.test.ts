import type { NotificationChannelRow } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import { blankDraft, findProblems, initialFields, toChange, toDraft } from './channel-draft.ts';

const row: NotificationChannelRow = {
  id: 'c1',
  name: 'Team',
  service: 'gotify',
  enabled: false,
  language: 'zh',
  fields: { server: 'https://push.test', token: '\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u20221234' },
  rules: {
    topics: ['stream'],
    severity: 'bad',
    streams: ['live/a', 'live/*'],
    resolved: false,
    quiet: { on: true, from: '21:00', to: '06:30' },
    quietExceptBad: false,
    digest: 'hour',
    zone: 'Asia/Shanghai',
  },
  last: null,
  open: 0,
};

describe('the form of a channel', () => {
  it('sends back what it was given, masked secrets included', () => {
    const { last: _last, open: _open, ...stored } = row;
    expect(toChange(toDraft(row), row)).toEqual(stored);
  });

  it('starts with the usual values of a service', () => {
    expect(initialFields('email')).toMatchObject({ security: 'starttls', port: '587', host: '' });
    const { zone, language } = blankDraft('zh');
    expect([zone, language]).toEqual([Intl.DateTimeFormat().resolvedOptions().timeZone, 'zh']);
  });

  it('finds the problem of each field', () => {
    const problems = findProblems({
      ...blankDraft('en'),
      fields: { port: '70000' },
      streams: 'a[b',
      isQuiet: true,
      quietTo: '',
    });
    expect(Object.fromEntries(problems)).toEqual({
      name: 'nameMissing',
      host: 'required',
      security: 'required',
      port: 'portInvalid',
      sender: 'required',
      recipients: 'required',
      streams: 'streamsInvalid',
      quiet: 'timeInvalid',
    });
    expect(Object.fromEntries(findProblems({ ...toDraft(row), fields: { server: 'push.test', token: 't' } }))).toEqual({
      server: 'urlInvalid',
    });
    expect(findProblems(toDraft(row)).size).toBe(0);
  });
});

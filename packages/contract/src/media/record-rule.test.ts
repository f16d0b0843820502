import { globPath, matchingGlob } from '@weir/streams';
import { expect, it } from 'vitest';
import { exactGlob, type RecordRules, streamRecordChoice, switchStreamRecording } from './record-rule.ts';

const show = { app: 'live', stream: 'show' };

it.each<[RecordRules, string, string]>([
  [{ all: false, globs: [] }, 'off', ''],
  [{ all: false, globs: ['/live/show'] }, 'off', ''],
  [{ all: true, globs: [] }, 'every', ''],
  [{ all: true, globs: ['/live/other'] }, 'unmatched', ''],
  [{ all: true, globs: ['/live/show', '/live/other'] }, 'name', ''],
  [{ all: true, globs: ['/live/*'] }, 'rule', '/live/*'],
  // Removing the name would not stop the recording.
  [{ all: true, globs: ['/live/*', '/live/show'] }, 'rule', '/live/*'],
])('reads from %j that the stream is decided by %s', (rules, by, rule) => {
  expect(streamRecordChoice(rules, show)).toEqual({ by, rule });
});

it.each<[string, RecordRules, boolean, RecordRules | undefined]>([
  ['turns recording on for this stream alone', { all: false, globs: [] }, true, { all: true, globs: ['/live/show'] }],
  ['keeps other rules', { all: true, globs: ['/a/*'] }, true, { all: true, globs: ['/a/*', '/live/show'] }],
  ['adds a name once', { all: false, globs: ['/live/show'] }, true, { all: true, globs: ['/live/show'] }],
  ['leaves a stream that a rule records', { all: true, globs: ['/live/*'] }, true, { all: true, globs: ['/live/*'] }],
  ['leaves all streams', { all: true, globs: [] }, true, { all: true, globs: [] }],
  ['removes the name', { all: true, globs: ['/a/*', '/live/show'] }, false, { all: true, globs: ['/a/*'] }],
  // An empty list would record everything.
  ['turns recording off with the last name', { all: true, globs: ['/live/show'] }, false, { all: false, globs: [] }],
  ['cannot end what a wider rule records', { all: true, globs: ['/live/*'] }, false, undefined],
  ['cannot end what is recorded without rules', { all: true, globs: [] }, false, undefined],
  ['leaves what is off', { all: false, globs: ['/a/*'] }, false, { all: false, globs: ['/a/*'] }],
])('%s', (_what, rules, isOn, expected) => {
  expect(switchStreamRecording(rules, show, isOn)).toEqual(expected);
});

it.each(['a*b', 'a?b', '[ab]', '{a,b}', 'a\\b', '**', 'a,b', 'a]b', '手机'])(
  'writes a rule that matches the stream %s and nothing else',
  (stream) => {
    const place = { app: 'live', stream };
    const glob = exactGlob(place);
    expect(matchingGlob([glob], globPath(place))).toBe(glob);
    for (const other of ['a', 'b', 'ab', 'axb', 'a/b', 'x'])
      expect(matchingGlob([glob], globPath({ app: 'live', stream: other }))).toBeUndefined();
    expect(streamRecordChoice({ all: true, globs: [glob] }, place).by).toBe('name');
  },
);

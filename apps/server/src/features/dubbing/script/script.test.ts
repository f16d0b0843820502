import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../core/store/memory-store.ts';
import { joinTexts } from '../../../speech/join-texts.ts';
import { speakingUnits } from './group-text.ts';
import { joinIntoGroups } from './grouping.ts';
import type { SpokenRow } from './rows.ts';
import { Script } from './script.ts';
import { divided, edited, merged, regrouped } from './script-edits.ts';

const piece = (start: number, end: number, text: string): SpokenRow => ({
  uuid: `${start}`,
  partStart: 0,
  start,
  end,
  text,
});
const textsOf = (...pieces: SpokenRow[]) =>
  joinIntoGroups(pieces).map(({ segments }) => segments.map(({ text }) => text).join('|'));

describe('groups', () => {
  it.each<[string, SpokenRow[], string[]]>([
    ['a pause divides', [piece(0, 2, 'one'), piece(2.8, 4, 'two')], ['one', 'two']],
    ['what runs on belongs together', [piece(0, 2, 'one'), piece(2.3, 4, 'two')], ['one|two']],
    ['the end of a sentence divides', [piece(0, 2, 'One.'), piece(2.2, 4, 'Two')], ['One.', 'Two']],
    ['but not after a word or two', [piece(0, 0.8, 'Yes.'), piece(1, 3, 'I do')], ['Yes.|I do']],
    ['a dash is another speaker', [piece(0, 2, 'one'), piece(2.1, 4, '- two')], ['one', '- two']],
    ['nobody keeps in time for long', [piece(0, 7, 'one'), piece(7.1, 13, 'two')], ['one', 'two']],
    ['nothing is nothing', [piece(0, 2, ' '), piece(3, 3, 'x')], []],
  ])('%s', (_name, pieces, groups) => {
    expect(textsOf(...pieces)).toEqual(groups);
  });

  it('join texts by the rules of their language', () => {
    expect(joinTexts(['Good', ' evening ', ''])).toBe('Good evening');
    expect(joinTexts(['你好', '世界'])).toBe('你好世界');
    expect(joinTexts(['他说：', '“你好”，', '然后用', 'OBS', '直播'])).toBe('他说：“你好”，然后用 OBS 直播');
    expect(joinTexts(['“Yes.”', '“No.”', '안녕', '하세요'])).toBe('“Yes.” “No.” 안녕 하세요');
    expect(speakingUnits('你好')).toBe(6);
  });
});

describe('edits', () => {
  const [group] = joinIntoGroups([piece(1, 3, 'Good evening to everybody')]);
  if (!group) throw new Error('no group');
  const translated = { ...group, translated: 'Bonsoir', translatedOf: 'Good evening to everybody', shortenings: 2 };
  const around = { before: undefined, after: undefined, filmSeconds: 10, now: 'now' };

  it('split a group at the nearest space, and merge it again', () => {
    const [first, second] = divided(translated, 2);
    expect([first, second].map(({ start, end, segments }) => [start, end, segments[0]?.text])).toEqual([
      [1, 2, 'Good evening'],
      [2, 3, 'to everybody'],
    ]);
    expect(first).toMatchObject({ uuid: group.uuid, translated: '', voice: null });
    expect(merged(first, second)).toMatchObject({ uuid: group.uuid, start: 1, end: 3, translated: '' });
    const [one, two] = [
      { ...first, translated: 'Bonsoir' },
      { ...second, translated: 'à tous' },
    ];
    expect(merged(one, two)).toMatchObject({ translated: 'Bonsoir à tous', translatedOf: 'Good evening to everybody' });
    for (const at of [1.1, 2.9, 5]) expect(() => divided(group, at)).toThrow(/inside the group/);
    const [signs] = joinIntoGroups([piece(0, 4, '你好世界')]);
    expect(signs && divided(signs, 2).map(({ segments }) => segments[0]?.text)).toEqual(['你好', '世界']);
  });

  it('restore groups as they were, within their place', () => {
    const knownOf = ({ segments, ...row }: typeof group) => ({
      ...row,
      segments: segments.map(({ partStart, ...one }) => ({ ...one, original_start: partStart })),
    });
    const halves = divided(translated, 2);
    const [again] = regrouped(halves, [knownOf({ ...translated, rephrased: 'Soir' })], around);
    expect(again).toMatchObject({
      uuid: group.uuid,
      start: 1,
      end: 3,
      segments: group.segments,
      translated: 'Bonsoir',
      voice: null,
      translatedOf: 'Good evening to everybody',
      rephrased: 'Soir',
      rephrasedOf: 'Bonsoir',
    });
    const both = regrouped([group], halves.map(knownOf), around);
    expect(both.map(({ uuid, start, translated: text }) => [uuid, start, text])).toEqual([
      [halves[0].uuid, 1, ''],
      [halves[1].uuid, 2, ''],
    ]);
    const [one, two] = halves.map(knownOf) as [ReturnType<typeof knownOf>, ReturnType<typeof knownOf>];
    const after = { ...group, start: 4 };
    for (const wrong of [
      [two, one],
      [{ ...one, end: 1 }, two],
      [one, { ...two, end: 4.5 }],
    ])
      expect(() => regrouped([group], wrong, { ...around, after })).toThrow(/between their neighbors/);
  });

  it('drop what depends on changed fields, and nothing else', () => {
    expect(edited(translated, { text: 'Good night' }, around)).toMatchObject({
      translated: '',
      segments: [{ text: 'Good night' }],
    });
    expect(edited(translated, { text: 'Good evening to everybody' }, around)).toMatchObject({ translated: 'Bonsoir' });
    expect(edited(translated, { translated: ' Salut ' }, around)).toMatchObject({
      translated: 'Salut',
      translatedOf: 'Good evening to everybody',
      translatedAt: 'now',
      shortenings: 0,
    });
    expect(edited(translated, { end: 4 }, around)).toMatchObject({ translated: 'Bonsoir', end: 4, shortenings: 0 });
    expect(() => edited(group, { text: ' ' }, around)).toThrow(/must not be empty/);
    expect(() => edited(group, { end: 11 }, around)).toThrow(/between its neighbors/);
    expect(() => edited(group, { start: 2.9 }, around)).toThrow(/between its neighbors/);
  });
});

describe('a dubbing script', () => {
  it('is read again in order, and refuses a change of what another editor changed', async () => {
    const store = new MemoryStore();
    const script = await Script.load(store, 'film');
    await script.write([...joinIntoGroups([piece(5, 6, 'b')]), ...joinIntoGroups([piece(1, 2, 'a')])]);
    const [a] = script.groups;
    if (!a) throw new Error('no group');
    expect(await script.change(a, { translated: 'A' })).toBe(true);
    expect(await script.change(a, { translated: 'other' })).toBe(false);
    const again = await Script.load(store, 'film');
    expect(again.groups.map(({ start, translated }) => [start, translated])).toEqual([
      [1, 'A'],
      [5, ''],
    ]);
    expect(again.groups).toEqual(script.groups);
    await again.clear();
    expect((await Script.load(store, 'film')).groups).toEqual([]);
  });
});

describe('a dubbing cursor', () => {
  it('is answered with the groups that changed since, and their order when it changed', async () => {
    const script = await Script.load(new MemoryStore(), 'project');
    await script.write(joinIntoGroups([piece(0, 1, 'one'), piece(3, 4, 'two'), piece(6, 7, 'three')]));
    const [, second, third] = script.groups;
    if (!second || !third) throw new Error('no groups');
    const first = script.cursor;
    expect(script.changesSince(first)).toEqual({ places: [], isReordered: false });
    await script.change(third, { translated: 'drei' });
    // The one before it may have another room now.
    expect(script.changesSince(first)).toEqual({ places: [1, 2], isReordered: false });
    const later = script.cursor;
    await script.write(joinIntoGroups([piece(9, 10, 'four')]));
    expect(script.changesSince(later)).toEqual({ places: [2, 3], isReordered: true });
    expect(script.changesSince(first)).toEqual({ places: [1, 2, 3], isReordered: true });
    await script.write([], [second]);
    expect(script.changesSince(later)).toMatchObject({ isReordered: true });
    expect(script.changesSince(script.cursor)).toEqual({ places: [], isReordered: false });
    for (const strange of ['', '-', 'x-1', `${first}0`, first.replace(/-.*/, '--1'), first.replace(/-.*/, '-1e1')])
      expect(script.changesSince(strange)).toBeUndefined();
  });

  it('reads versions of another process as unknown', async () => {
    const store = new MemoryStore();
    const script = await Script.load(store, 'project');
    await script.write(joinIntoGroups([piece(0, 1, 'one')]));
    expect((await Script.load(store, 'project')).changesSince(script.cursor)).toBeUndefined();
  });
});

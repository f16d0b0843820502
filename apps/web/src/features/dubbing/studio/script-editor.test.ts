import { ApiError } from '@weir/client';
import type { DubbingGroup } from '@weir/contract';
import { expect, it, vi } from 'vitest';
import { group } from '../dubbing.fixture.ts';
import { draftKey, formatBorder, isBorder } from './edit-field.ts';
import { ScriptEditor } from './script-editor.ts';

const changed = () =>
  new ApiError('changed', { url: '', body: { code: 1, data: { why: { kind: 'changed', fact: '' } } } });

/** Server with two groups that refuses edits of an old revision. */
function openEditor() {
  let groups = [group(0), group(1)];
  let seen = groups;
  let isMute = false;
  const sent: string[] = [];
  const lost: string[] = [];
  const put = (uuid: string, change: Partial<DubbingGroup>) => {
    groups = groups.map((one) => (one.uuid === uuid ? { ...one, ...change, revision: one.revision + 10 } : one));
  };
  const editor = new ScriptEditor({
    groups: () => seen,
    send: async ({ group: { uuid, revision }, field, text }) => {
      if (groups.find((one) => one.uuid === uuid)?.revision !== revision) throw changed();
      sent.push(`${uuid} ${field}: ${text}`);
      put(uuid, { [field]: isBorder(field) ? Number(text) : text });
      seen = groups;
    },
    reload: async () => {
      seen = groups;
    },
    regroup: async (present, known) => {
      const isStale = present.some(
        (one) => !groups.some(({ uuid, revision }) => uuid === one.uuid && revision === one.revision),
      );
      if (isStale) throw changed();
      const at = groups.findIndex(({ uuid }) => uuid === present[0]?.uuid);
      groups = groups.toSpliced(at, present.length, ...known.map((one) => ({ ...one, revision: one.revision + 10 })));
      seen = groups;
      if (isMute) throw new Error('no voice');
    },
    onLost: () => lost.push('lost'),
    onFailure: () => undefined,
  });
  const first = () => seen[0] as DubbingGroup;
  /** Merges as `task-merge` does; the server then makes the voice. */
  const merge = () => {
    const [one, two] = groups as [DubbingGroup, DubbingGroup];
    const segments = [...one.segments, ...two.segments];
    const both = { ...one, segments, end: two.end, translated: 'Satz 0 Satz 1', corrected: true, revision: 20 };
    groups = [both];
    seen = groups;
    editor.record({ before: [one, two], after: [both] });
    put(one.uuid, { tts: 'another voice' });
  };
  const texts = () => seen.map(({ translated }) => translated);
  const mute = (is: boolean) => {
    isMute = is;
  };
  return { editor, sent, lost, first, texts, merge, mute, elsewhere: put };
}

it('saves once after a pause and keeps text typed meanwhile', async () => {
  vi.useFakeTimers();
  const { editor, sent, first } = openEditor();
  editor.type(first(), 'translated', 'Guten');
  await vi.advanceTimersByTimeAsync(1000);
  editor.type(first(), 'translated', 'Guten  Abend ');
  await vi.advanceTimersByTimeAsync(2400);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(sent).toEqual(['group-0 translated: Guten Abend']);
  expect(editor.state().drafts).toEqual({});
  await editor.save('group-0', 'translated');
  expect(sent).toHaveLength(1);
  vi.useRealTimers();
});

it('undoes and redoes corrections, and skips texts changed since', async () => {
  const { editor, sent, first, elsewhere } = openEditor();
  editor.type(first(), 'translated', 'One');
  await editor.save('group-0', 'translated');
  editor.type(first(), 'translated', 'Two');
  await editor.save('group-0', 'translated');
  await editor.undo();
  expect(first().translated).toBe('One');
  expect(editor.state()).toMatchObject({ canUndo: true, canRedo: true });
  await editor.undo();
  expect(first().translated).toBe('Satz 0');
  await editor.redo();
  expect(first().translated).toBe('One');
  elsewhere('group-0', { translated: 'Theirs' });
  await editor.undo();
  expect(editor.state().conflicts).toEqual({ [draftKey('group-0', 'translated')]: 'Satz 0' });
  expect(sent).toHaveLength(5);
});

it('retries after background changes, but never overwrites the text of another window', async () => {
  const { editor, sent, first, elsewhere } = openEditor();
  editor.type(first(), 'translated', 'Mine');
  elsewhere('group-0', { tts: 'another voice' });
  await editor.save('group-0', 'translated');
  expect(sent).toEqual(['group-0 translated: Mine']);
  editor.type(first(), 'translated', 'Mine again');
  elsewhere('group-0', { translated: 'Theirs' });
  await editor.save('group-0', 'translated');
  expect(sent).toHaveLength(1);
  expect(first().translated).toBe('Theirs');
  expect(editor.state().conflicts).toEqual({ [draftKey('group-0', 'translated')]: 'Mine again' });
  editor.resolveConflict('group-0', 'translated', true);
  await vi.waitFor(() => expect(first().translated).toBe('Mine again'));
  expect(editor.state().conflicts).toEqual({});
});

it('undoes and redoes a moved border, and keeps one moved by another window', async () => {
  const { editor, sent, lost, first, elsewhere } = openEditor();
  editor.type(first(), 'end', formatBorder(1.5));
  expect(editor.state().drafts[draftKey('group-0', 'end')]?.text).toBe('1.500');
  await editor.save('group-0', 'end');
  expect(sent).toEqual(['group-0 end: 1.500']);
  await editor.undo();
  expect(first().end).toBe(2);
  await editor.redo();
  expect(first().end).toBe(1.5);
  editor.type(first(), 'end', formatBorder(1.8));
  elsewhere('group-0', { end: 1.2 });
  await editor.save('group-0', 'end');
  expect([first().end, lost, editor.state().drafts]).toEqual([1.2, ['lost'], {}]);
});

it('undoes an unsaved draft before saved steps', async () => {
  const { editor, first, sent } = openEditor();
  editor.type(first(), 'end', formatBorder(1.5));
  await editor.save('group-0', 'end');
  editor.type(first(), 'end', formatBorder(1.2));
  await editor.undo();
  expect([first().end, editor.state().drafts]).toEqual([1.5, {}]);
  editor.type(first(), 'end', formatBorder(1.2));
  void editor.save('group-0', 'end');
  await Promise.all([editor.undo(), editor.undo()]);
  expect([first().end, editor.state().drafts]).toEqual([2, {}]);
  expect(sent.map((one) => one.slice(-5))).toEqual(['1.500', '1.200', '1.500', '1.200', '1.500', '2.000']);
});

it('undoes a pending step once it has finished, not the one before it', async () => {
  const { editor, first } = openEditor();
  editor.type(first(), 'end', formatBorder(1.5));
  await editor.save('group-0', 'end');
  const { promise, resolve } = Promise.withResolvers<void>();
  const acting = editor.track(
    promise.then(async () => {
      editor.type(first(), 'end', formatBorder(1.2));
      await editor.save('group-0', 'end');
    }),
  );
  const undone = editor.undo();
  await new Promise(setImmediate);
  expect(first().end).toBe(1.5);
  resolve();
  await Promise.all([acting, undone]);
  expect(first().end).toBe(1.5);
  await editor.undo();
  expect(first().end).toBe(2);
});

it('saves a draft that was left while the group was busy', async () => {
  vi.useFakeTimers();
  const { editor, sent, first } = openEditor();
  editor.type(first(), 'text', 'Heard');
  await editor.markBusy(['group-0'], async () => {
    await editor.save('group-0', 'text');
    await vi.advanceTimersByTimeAsync(3000);
    expect(sent).toEqual([]);
  });
  await vi.advanceTimersByTimeAsync(3000);
  expect(sent).toEqual(['group-0 text: Heard']);
  vi.useRealTimers();
});

it('undoes and redoes a merge between other steps, despite changes by AI', async () => {
  const { editor, merge, texts, first, mute } = openEditor();
  editor.type(first(), 'translated', 'Mine');
  await editor.save('group-0', 'translated');
  editor.type(first(), 'translated', 'Satz 0');
  await editor.save('group-0', 'translated');
  merge();
  editor.type(first(), 'translated', 'All of it');
  await editor.save('group-0', 'translated');
  // Simulates fast key presses.
  await Promise.all([editor.undo(), editor.undo(), editor.undo()]);
  expect(texts()).toEqual(['Mine', 'Satz 1']);
  await Promise.all([editor.redo(), editor.redo()]);
  expect(texts()).toEqual(['Satz 0 Satz 1']);
  expect(first().tts).toBe('another voice');
  // The text is restored although its voice fails.
  mute(true);
  await editor.undo();
  expect(texts()).toEqual(['Satz 0', 'Satz 1']);
  expect(editor.state()).toMatchObject({ canUndo: true, canRedo: true });
});

it('keeps a merge that was edited elsewhere since, and says so', async () => {
  const { editor, merge, texts, lost, elsewhere } = openEditor();
  merge();
  elsewhere('group-0', { translated: 'Theirs' });
  await editor.undo();
  expect([texts(), lost]).toEqual([['Theirs'], ['lost']]);
  expect(editor.state()).toMatchObject({ canUndo: false, canRedo: false });
});

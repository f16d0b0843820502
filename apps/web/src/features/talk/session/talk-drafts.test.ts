import { talkApi } from '@weir/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeRoom, good, refused } from './room.fixture.ts';
import { closePages, newPage, nothing, pass, talking } from './talk-pages.fixture.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  closePages();
  vi.useRealTimers();
});

describe('a page whose guest corrects recognized text', () => {
  it('collects recognized text in the field in order, also over a reload', async () => {
    const room = new FakeRoom();
    const line = { isDown: false };
    const session = await talking(room, { line });
    const said = (audio: string) => session.sender.say({ ...nothing, audio, isDraft: true });
    const answers: ((text: string) => void)[] = [];
    room.onHear = () =>
      new Promise((resolve) => answers.push((text) => resolve(good({ text, isFinal: true, canLook: false }))));
    said('AAAA');
    said('BBBB');
    await pass(6000);
    // The second waits, because its text belongs behind the first.
    expect(room.calls(talkApi.hear).map(({ audio }) => audio)).toEqual(['AAAA']);
    answers[0]?.('what is');
    await pass(100);
    answers[1]?.('the weather?');
    await pass(100);
    expect(session.store.get()).toMatchObject({ draft: 'what is the weather?', outbox: [] });
    expect(room.calls(talkApi.upload)).toEqual([]);
    session.store.dispatch({ type: 'typed', draft: 'What is the weather?' });
    session.close();
    const again = newPage(room, { line });
    expect(again.store.get().draft).toBe('What is the weather?');
    again.store.dispatch({ type: 'typed', draft: '' });
    again.close();
    expect(newPage(room, { line }).store.get().draft).toBe('');
  });

  it('keeps the speech while offline', async () => {
    const room = new FakeRoom();
    const line = { isDown: false };
    const session = await talking(room, { line });
    line.isDown = true;
    session.sender.say({ ...nothing, audio: 'AAAA', heard: 'before', isDraft: true });
    await pass(20_000);
    expect(session.store.get()).toMatchObject({ draft: '', outbox: [{ audio: 'AAAA' }] });
    line.isDown = false;
    await pass(12_000);
    expect(session.store.get()).toMatchObject({ draft: 'before heard', outbox: [] });
    room.onHear = () => refused(422, 'say it again', 'unheard');
    session.sender.say({ ...nothing, audio: 'BBBB', isDraft: true });
    await pass(2000);
    expect(session.store.get().outbox).toMatchObject([{ state: 'failed', problem: { kind: 'unheard' } }]);
  });

  it('keeps text in the conversation that does not fit into the field', async () => {
    const room = new FakeRoom();
    const session = await talking(room);
    session.store.dispatch({ type: 'typed', draft: 'x'.repeat(1998) });
    session.sender.say({ ...nothing, audio: 'AAAA', isDraft: true });
    await pass(2000);
    const [item] = session.store.get().outbox;
    expect(item).toMatchObject({ state: 'failed', caption: 'heard', problem: { kind: 'too-large' } });
    session.store.dispatch({ type: 'typed', draft: '' });
    session.sender.retry(item?.id ?? '');
    await pass(2000);
    expect(session.store.get()).toMatchObject({ draft: 'heard', outbox: [] });
  });
});

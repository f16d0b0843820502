import { talkApi } from '@weir/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeRoom, good, refused } from './room.fixture.ts';
import { closePages, newPage, nothing, pass, shown, talking, typed } from './talk-pages.fixture.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  closePages();
  vi.useRealTimers();
});

describe('TalkSession', () => {
  it('joins, takes a name, and shows messages in order', async () => {
    const room = new FakeRoom();
    const session = await talking(room);
    for (const text of ['one', 'two', 'three']) session.sender.say(typed(text));
    expect(session.store.get().outbox.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
    await pass(5000);
    expect(room.calls(talkApi.upload).map(({ text }) => text)).toEqual(['one', 'two', 'three']);
    expect(shown(session)).toContain('You said: three');
    expect(session.store.get()).toMatchObject({ outbox: [], phase: 'live', trouble: undefined });
    expect([...room.users.values()]).toEqual(['Ann']);
  });

  it('keeps user and messages over a reload', async () => {
    const room = new FakeRoom();
    const first = await talking(room);
    first.sender.say(typed('hello'));
    await pass(3000);
    first.close();
    room.tell({ msg: 'said meanwhile' });
    const second = newPage(room);
    expect(shown(second)).toEqual(['hello', 'You said: hello']);
    await pass(1000);
    expect(shown(second)).toEqual(['hello', 'You said: hello', 'said meanwhile']);
    expect(second.store.get()).toMatchObject({ phase: 'live', name: 'Ann' });
    expect(room.users.size).toBe(1);
  });

  it('starts a new conversation after a server restart and keeps the old messages', async () => {
    const room = new FakeRoom();
    const session = await talking(room);
    session.sender.say(typed('before'));
    await pass(3000);
    room.restart();
    session.sender.say(typed('after'));
    await pass(5000);
    expect(shown(session)).toEqual(['before', 'You said: before', '(anew)', 'after', 'You said: after']);
    expect([...room.users.values()]).toEqual(['Ann']);
  });

  it('repeats an unpublished utterance in the next conversation', async () => {
    const room = new FakeRoom();
    const session = await talking(room);
    session.sender.say(typed('before'));
    await pass(3000);
    // Accepted, then lost with the server before the message was published.
    room.onUpload = ({ rid }) => good({ rid, asr: 'never told' });
    session.sender.say(typed('never told'));
    await pass(2000);
    const [waiting] = session.store.get().outbox;
    expect(waiting).toMatchObject({ state: 'sent', rid: expect.stringMatching(/^rid-/) });
    room.onUpload = undefined;
    room.restart();
    await pass(5000);
    expect(shown(session)).toEqual(['before', 'You said: before', '(anew)', 'never told', 'You said: never told']);
    const [, , again] = room.calls(talkApi.upload);
    expect(again?.rid).not.toBe(waiting?.rid);
    expect(session.store.get().outbox).toEqual([]);
  });

  it('catches up after the server dropped the listener', async () => {
    const room = new FakeRoom();
    const session = await talking(room);
    session.sender.say(typed('before'));
    await pass(3000);
    room.forgetListeners();
    room.tell({ msg: 'said meanwhile' });
    await pass(5000);
    expect(shown(session)).toEqual(['before', 'You said: before', 'said meanwhile']);
  });

  it('keeps utterances while offline and sends them later', async () => {
    const room = new FakeRoom();
    const line = { isDown: false };
    const session = await talking(room, { line });
    line.isDown = true;
    session.sender.say({ ...nothing, audio: 'AAAA', milliseconds: 900 });
    await pass(20_000);
    expect(session.store.get().trouble?.kind).toBe('silence');
    expect(session.store.get().outbox).toHaveLength(1);
    room.tell({ msg: 'told meanwhile' });
    line.isDown = false;
    await pass(12_000);
    expect(shown(session)).toEqual(['told meanwhile', 'heard', 'You said: heard']);
    expect(session.store.get()).toMatchObject({ outbox: [], trouble: undefined });
  });

  it('sends nothing twice when the connection broke after the upload', async () => {
    const room = new FakeRoom();
    const session = await talking(room);
    room.onUpload = ({ rid, text }) => {
      room.tell({ rid: String(rid), role: 'user', msg: String(text) });
      throw new TypeError('cut');
    };
    session.sender.say(typed('once'));
    await pass(10_000);
    expect(room.calls(talkApi.upload)).toHaveLength(1);
    expect(shown(session)).toEqual(['once']);
    expect(session.store.get().outbox).toEqual([]);
  });

  it.each([
    [undefined, 2],
    ['restarted' as const, 1],
  ])('queries the result of an interrupted upload: %s', async (over, times) => {
    const room = new FakeRoom();
    const session = await talking(room);
    room.onUpload = ({ rid }) => {
      if (over) room.over.set(String(rid), over);
      room.onUpload = undefined;
      throw new TypeError('cut');
    };
    session.sender.say(typed('perhaps'));
    await pass(10_000);
    const uploads = room.calls(talkApi.upload);
    expect(uploads).toHaveLength(times);
    // The same round id lets the server detect the repetition.
    expect(new Set(uploads.map(({ rid }) => rid)).size).toBe(1);
    if (over) expect(session.store.get().outbox).toMatchObject([{ state: 'failed', problem: { kind: over } }]);
    else expect(shown(session)).toEqual(['perhaps', 'You said: perhaps']);
  });

  it('shows a failure at its message and repeats the question', async () => {
    const room = new FakeRoom();
    const session = await talking(room);
    room.onUpload = ({ rid, text }) => {
      room.tell({ rid: String(rid), role: 'user', msg: String(text) });
      room.over.set(String(rid), 'failed');
      return refused(503, 'try again', 'failed');
    };
    session.sender.say(typed('why'));
    await pass(2000);
    const [[rid = '', problem] = []] = Object.entries(session.store.get().problems);
    expect(problem).toMatchObject({ kind: 'failed', id: 'deadbeef' });
    room.onUpload = ({ rid: of, again }) => {
      room.tell({ rid: String(of), msg: `asked again: ${again}` });
      room.over.set(String(of), '');
      return good({ rid: of, asr: '' });
    };
    void session.sender.askAgain(rid);
    await pass(3000);
    expect(session.store.get().problems).toEqual({});
    expect(shown(session)).toEqual(['why', 'asked again: true']);
    room.onUpload = ({ again }) => (again ? refused(404, 'invalid rid') : good({ rid: 'rid', asr: 'why' }));
    void session.sender.askAgain(rid);
    await pass(3000);
    expect(room.calls(talkApi.upload).at(-1)).toMatchObject({ text: 'why' });
  });

  it('reports an answer that was cut off', async () => {
    const room = new FakeRoom();
    const session = await talking(room);
    room.onUpload = ({ rid, text }) => {
      room.tell({ rid: String(rid), role: 'user', msg: String(text) });
      room.tell({ rid: String(rid), msg: 'Well,' });
      room.over.set(String(rid), 'failed');
      return good({ rid, asr: text });
    };
    session.sender.say(typed('a long story'));
    await pass(3000);
    expect(Object.values(session.store.get().problems)).toMatchObject([{ kind: 'failed', id: 'deadbeef' }]);
  });

  it('keeps an unrecognized utterance for its speaker', async () => {
    const room = new FakeRoom();
    const session = await talking(room);
    room.onUpload = () => refused(422, 'say it again', 'unheard');
    session.sender.say({ ...nothing, audio: 'AAAA', milliseconds: 900 });
    await pass(2000);
    const [item] = session.store.get().outbox;
    expect(item).toMatchObject({ state: 'failed', problem: { kind: 'unheard' } });
    session.sender.discard(item?.id ?? '');
    expect(session.store.get().outbox).toEqual([]);
    // Silence is part of dictating.
    session.sender.say({ ...nothing, audio: 'AAAA', milliseconds: 900, mergeMessages: 3 });
    await pass(2000);
    expect(session.store.get().outbox).toEqual([]);
  });

  it('says once that a language is not understood, however much is said in it', async () => {
    const room = new FakeRoom();
    const session = await talking(room);
    room.onUpload = () => refused(422, 'please type', 'language');
    for (let n = 0; n < 3; n++) {
      session.sender.say({ ...nothing, audio: 'AAAA', milliseconds: 900, mergeMessages: 3 });
      await pass(2000);
    }
    expect(session.store.get().outbox).toMatchObject([{ state: 'failed', problem: { kind: 'language' } }]);
  });

  it.each([
    [{ status: 401, message: 'invalid room token' }, 'token'],
    [{ status: 404, message: 'there is no such room' }, 'room'],
    [{ status: 422, message: 'assistant disabled' }, 'assistant'],
  ])('stops polling after %j', async (refusal, kind) => {
    const room = new FakeRoom();
    const session = await talking(room);
    room.restart();
    room.refusal = refusal;
    await pass(3000);
    expect(session.store.get()).toMatchObject({ phase: 'ended', end: { kind } });
    const before = room.asked.length;
    await pass(600_000);
    expect(room.asked).toHaveLength(before);
    expect(sessionStorage.length).toBe(0);
  });

  it('pauses polling when hidden, quiet or offline for long, and continues on request', async () => {
    const room = new FakeRoom();
    const line = { isDown: false };
    const session = await talking(room, { line });
    session.setVisible(false);
    await pass(11 * 60_000);
    expect(session.store.get().rest).toBe('hidden');
    const before = room.asked.length;
    await pass(600_000);
    expect(room.asked).toHaveLength(before);
    session.setVisible(true);
    await pass(1000);
    expect(room.asked.length).toBeGreaterThan(before);
    line.isDown = true;
    await pass(17 * 60_000);
    expect(session.store.get().rest).toBe('silent');
    line.isDown = false;
    session.wake();
    await pass(2000);
    expect(session.store.get()).toMatchObject({ rest: undefined, trouble: undefined });
  });

  it('waits as a listener for a conversation, and for the next one', async () => {
    const room = new FakeRoom();
    const listener = newPage(room, { isListener: true });
    await pass(5000);
    expect(listener.store.get().phase).toBe('waiting');
    const guest = await talking(room);
    await pass(10_000);
    guest.sender.say(typed('hello'));
    await pass(3000);
    expect(shown(listener)).toEqual(['hello', 'You said: hello']);
    sessionStorage.clear();
    const late = newPage(room, { isListener: true });
    await pass(2000);
    expect(shown(late)).toEqual(shown(listener));
    expect(room.calls(talkApi.messages).some(({ userId }) => userId === '')).toBe(true);
    room.restart();
    await pass(10_000);
    expect(shown(listener)).toEqual(['hello', 'You said: hello', '(anew)']);
  });

  it('limits the waiting utterances', async () => {
    const session = await talking(new FakeRoom(), { line: { isDown: false } });
    session.close();
    expect(
      Array.from({ length: 41 }, (_, index) => session.sender.say(typed(`${index}`))).filter(Boolean),
    ).toHaveLength(40);
  });
});

import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Room } from '@weir/contract';
import { expect, it, vi } from 'vitest';
import { silentLog } from '../../ai/ai.fixture.ts';
import { FakeClock } from '../../core/clock.fixture.ts';
import { ConversationFiles } from './conversation-files.ts';
import { Conversations } from './conversations.ts';

it('neither reads nor writes an idle conversation, except for its age once a minute', async () => {
  const clock = new FakeClock('2026-03-01');
  const directory = mkdtempSync(join(tmpdir(), 'weir-stages-'));
  const conversations = new Conversations(clock);
  const conversation = conversations.open({ uuid: 'room-1', roomToken: 'token-of-the-room' });
  const rooms = { get: () => Promise.reject<Room>(new Error('not asked')) };
  const files = new ConversationFiles({ directory, conversations, clock, log: silentLog, rooms });
  const reads = vi.spyOn(conversation.log, 'from');
  const fileId = () => statSync(join(directory, `${conversation.sid}.stage`)).ino;
  const user = conversation.enter('203.0.113.9', 'en', 0);
  conversation.listen('203.0.113.9', 0);
  await files.save();
  const [first, count] = [fileId(), reads.mock.calls.length];
  for (let n = 0; n < 10; n++) {
    clock.pass(1000);
    user.seenAtMs = clock.elapsedMs();
    conversations.get(conversation.sid);
    conversations.sweep();
    await files.save();
  }
  expect([fileId(), reads.mock.calls.length]).toEqual([first, count]);
  conversation.begin();
  await files.save();
  expect(reads.mock.calls.length).toBe(count + 1);
  clock.pass(60_000);
  await files.save();
  expect(reads.mock.calls.length).toBe(count + 2);
});

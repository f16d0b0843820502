import { Room, RoomChange } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import { findAssistantProblem, toDraft, toProviderFacts, toRoomChange } from './assistant-draft.ts';

const room = Room.parse({
  uuid: 'room-1',
  title: 'Evening',
  stream: 'a1b2c3',
  secret: 'SECRET',
  roomToken: 'token-1',
  created_at: '',
  aiName: 'Ada',
  aiSecretKey: '••••••••cdef',
  aiBaseURL: 'https://ai.example/v1',
  aiOrganization: 'org',
  aiAsrLanguage: 'de',
  aiAsrPrompt: 'user-only',
  aiChatModel: 'm',
  aiChatPrompt: 'Be kind.',
  aiChatMaxWindow: 5,
  aiChatMaxWords: 300,
  aiPostMaxWindow: 2,
  aiPostMaxWords: 0,
});
const draft = toDraft(room);

describe('the assistant form', () => {
  it('sends unchanged settings back in a form that the server accepts', () => {
    const change = toRoomChange(draft);
    expect({ ...room, ...change }).toEqual({ ...room, aiProvider: 'openai' });
    expect(RoomChange.safeParse({ uuid: room.uuid, ...change }).success).toBe(true);
  });

  it.each([
    [{ chat: { ...draft.chat, window: '2.5' } }, { tab: 'chat', field: 'window' }],
    [{ chat: { ...draft.chat, words: '10001' } }, { tab: 'chat', field: 'words' }],
    [{ post: { ...draft.post, window: '' } }, { tab: 'post', field: 'window' }],
    [{ post: { ...draft.post, isOn: true, prompt: ' ' } }, { tab: 'post', field: 'prompt' }],
    [{ post: { ...draft.post, isOn: true, prompt: 'Translate.' } }, undefined],
    [{ baseURL: 'https://other.example/v1' }, { tab: 'provider' }],
    [{ baseURL: '', secretKey: '' }, undefined],
    [{}, undefined],
    [{ messages: '-1' }, { tab: 'basic', field: 'messages' }],
    [{ wait: '4' }, { tab: 'basic', field: 'wait' }],
    [{ wait: '300', messages: '0' }, undefined],
  ])('with %j finds %j', (change, found) => {
    const problem = findAssistantProblem({ ...draft, ...change }, toProviderFacts(room));
    if (found) expect(problem).toMatchObject(found);
    else expect(problem).toBeUndefined();
  });
});

import { programApi } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import {
  addInput,
  draftFrom,
  draftOf,
  findProblems,
  freeKinds,
  newInput,
  programTemplates,
  toChange,
} from './program-draft.ts';
import { anInput, aProgram } from './program-row.fixture.ts';

describe('the draft of a program', () => {
  it.each(programTemplates)('of the template %s is accepted by the server once its files are chosen', (template) => {
    const draft = draftOf(template, 'live/show');
    const inputs = draft.inputs.map((input) => (input.kind === 'file' ? { ...input, files: ['f1'] } : input));
    expect(findProblems({ ...draft, inputs })).toBeUndefined();
    const change = programApi.save.body.parse(toChange({ ...draft, inputs }, undefined));
    expect(change).toMatchObject({ app: 'live', stream: 'show' });
    expect(change.inputs.at(-1)?.kind).toBe('slate');
  });

  it('says what is missing', () => {
    const draft = draftOf('file', 'show');
    const [file] = draft.inputs.filter(({ kind }) => kind === 'file');
    const problems = findProblems({ ...draft, rules: { ...draft.rules, failMs: '50', returnSeconds: '1.5' } });
    expect(problems).toEqual({
      stream: true,
      rules: ['failMs', 'returnSeconds'],
      inputs: { [file?.row ?? '']: 'files' },
    });
    expect(findProblems({ ...draft, stream: 'live/show', inputs: [newInput('slate')] })).toMatchObject({
      onlySlate: true,
    });
    const pull = { ...newInput('pull'), url: 'file:///etc/passwd' };
    expect(findProblems({ ...draft, stream: 'a/b', inputs: [pull] })?.inputs).toEqual({ [pull.row]: 'url' });
    const other = { ...newInput('stream'), stream: 'nowhere' };
    expect(findProblems({ ...draft, stream: 'a/b', inputs: [other] })?.inputs).toEqual({ [other.row]: 'stream' });
  });

  it('keeps ids, keys and place of a saved program', () => {
    const program = aProgram({
      vhost: 'other.example',
      inputs: [anInput('backup', { key: 'k'.repeat(20) }), anInput('slate')],
    });
    const change = toChange({ ...draftFrom(program), isReturning: false, isConforming: true }, program);
    expect(change).toMatchObject({
      uuid: 'p1',
      vhost: 'other.example',
      isReturning: false,
      isConforming: true,
      failMs: 1000,
    });
    expect(change.inputs).toMatchObject([{ id: 'backup', key: 'k'.repeat(20) }, { id: 'slate' }]);
  });

  it('offers one publisher and one slate, and adds others before the slate', () => {
    const { inputs } = draftOf('backup', 'live/show');
    expect(freeKinds(inputs)).toEqual(['backup', 'pull', 'stream', 'file']);
    expect(addInput(inputs, 'pull').map(({ kind }) => kind)).toEqual(['publisher', 'backup', 'pull', 'slate']);
    const full = Array.from({ length: 10 }, () => newInput('backup'));
    expect(freeKinds(full)).toEqual([]);
  });
});

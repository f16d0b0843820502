import type { AiCause } from '@weir/contract';
import type { ProviderChoiceProps } from '../ai/provider/provider-choice.tsx';
import { ProviderPart } from '../ai/provider/provider-part.tsx';
import type { ProviderFacts, ProviderProblem } from '../ai/provider/provider-problem.ts';

interface TaskProviderProps extends Pick<ProviderChoiceProps, 'needs' | 'language'> {
  form: {
    readonly draft: ProviderFacts;
    readonly problem: { readonly part: string; readonly provider?: ProviderProblem } | undefined;
    readonly refusal: AiCause | undefined;
    edit(change: Partial<ProviderFacts>): void;
    checkProvider(): boolean;
  };
  /** Offers a test of the provider. */
  isTested?: boolean;
}

export function TaskProvider({ form, isTested = false, ...needed }: TaskProviderProps) {
  return (
    <ProviderPart
      {...needed}
      value={form.draft}
      onEdit={form.edit}
      problem={form.problem?.provider}
      onCheck={isTested ? form.checkProvider : undefined}
      refusal={form.refusal}
    />
  );
}

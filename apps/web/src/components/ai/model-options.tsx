import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { offeredModelsQuery } from './ai-queries.ts';
import type { ProviderFacts } from './provider-problem.ts';

/** Names of models to choose from, for fields into which any name can be typed. The provider is asked when one of them is entered. */
export function useModelOptions(provider?: ProviderFacts) {
  const id = useId();
  const [isChoosing, setIsChoosing] = useState(false);
  const offered = useQuery({ ...offeredModelsQuery(provider), enabled: isChoosing });
  return {
    /** Of the field. */
    field: { list: id, autoComplete: 'off', spellCheck: false, onFocus: () => setIsChoosing(true) },
    /** Somewhere beside it. */
    options: (
      <datalist id={id}>
        {offered.data?.models.map((model) => (
          <option key={model.id} value={model.id}>
            {model.name}
          </option>
        ))}
      </datalist>
    ),
  };
}

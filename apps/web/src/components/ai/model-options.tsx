import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { builtInVoicesQuery, offeredModelsQuery, offeredVoicesQuery } from './ai-queries.ts';
import type { ProviderFacts } from './provider/provider-problem.ts';
import { useAnswerers } from './use-answerers.ts';

/** Model suggestions for free-text fields. The provider is queried when a field receives the focus. */
export function useModelOptions(provider?: ProviderFacts) {
  const id = useId();
  const [isChoosing, setIsChoosing] = useState(false);
  const offered = useQuery({ ...offeredModelsQuery(provider), enabled: isChoosing });
  return {
    field: { list: id, autoComplete: 'off', spellCheck: false, onFocus: () => setIsChoosing(true) },
    options: <Names {...{ id, named: offered.data?.models ?? [] }} />,
  };
}

/** OpenAI offers no voice list; most compatible servers accept the same names. */
const openAiVoices = [
  'alloy',
  'ash',
  'ballad',
  'coral',
  'echo',
  'fable',
  'nova',
  'onyx',
  'sage',
  'shimmer',
  'verse',
].map((id) => ({ id, name: id }));

export function useVoiceOptions(provider: ProviderFacts) {
  const id = useId();
  const isBuiltIn = useAnswerers(provider)?.speak.by === 'built-in';
  const [isChoosing, setIsChoosing] = useState(false);
  const { data: builtIn = [] } = useQuery({ ...builtInVoicesQuery, enabled: isBuiltIn });
  const { data: offered } = useQuery({ ...offeredVoicesQuery(provider), enabled: isChoosing && !isBuiltIn });
  const listed = offered && offered.voices.length > 0 ? offered.voices : openAiVoices;
  return {
    isBuiltIn,
    voices: isBuiltIn ? builtIn : listed,
    /** Fetches the list of the provider. */
    ask: () => setIsChoosing(true),
    field: { list: id, autoComplete: 'off', spellCheck: false, onFocus: () => setIsChoosing(true) },
    options: <Names {...{ id, named: isBuiltIn ? builtIn : listed }} />,
  };
}

function Names({ id, named }: { id: string; named: readonly { id: string; name: string }[] }) {
  return (
    <datalist id={id}>
      {named.map((one) => (
        <option key={one.id} value={one.id}>
          {one.name}
        </option>
      ))}
    </datalist>
  );
}

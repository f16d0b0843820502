import { Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect } from 'react';
import { Section, SectionGroup } from '../ui/layout/section.tsx';
import { ServiceActions, type ServiceState } from './service-actions.tsx';
import type { AiTaskKind } from './use-ai-task-form.ts';

interface ServicePart<Part extends string> {
  readonly part: Part;
  readonly title: string;
  readonly help: string;
  readonly content: ReactNode;
}

interface ServiceFormProps<Part extends string> {
  kind: AiTaskKind;
  form: ServiceState & {
    /** A new object leads to a part, such as that of a wrong field. */
    readonly shown: { readonly part: Part } | undefined;
    save(): void;
  };
  parts: readonly ServicePart<Part>[];
  /** Number of segments a reset deletes. */
  segments: number;
}

/** Settings of a task. Saving does not start it. */
export function ServiceForm<Part extends string>({ kind, form, parts, segments }: ServiceFormProps<Part>) {
  const { shown } = form;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.save();
  };
  useEffect(() => {
    const section = shown && document.getElementById(anchorOf(kind, shown.part));
    if (!section) return;
    const wrong = section.querySelector<HTMLElement>('[aria-invalid="true"]');
    section.scrollIntoView({ block: 'start' });
    (wrong ?? section).focus({ preventScroll: wrong === null });
  }, [shown, kind]);
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <SectionGroup>
          {parts.map(({ part, title, help, content }) => (
            <Section key={part} isSplit isInner anchor={anchorOf(kind, part)} title={title} help={help}>
              {content}
            </Section>
          ))}
        </SectionGroup>
        <ServiceActions kind={kind} form={form} segments={segments} />
      </Stack>
    </form>
  );
}

const anchorOf = (kind: AiTaskKind, part: string) => `${kind}-${part}`;

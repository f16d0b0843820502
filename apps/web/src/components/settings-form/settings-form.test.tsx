import { MantineProvider, TextInput } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { expect, it, vi } from 'vitest';
import { SettingsForm } from './settings-form.tsx';
import { useSettingsForm } from './use-settings-form.ts';

interface HarnessProps {
  saved: string;
  isKnown?: boolean;
  save: (name: string) => Promise<unknown>;
  settle?: () => unknown;
}

function Harness({ saved, isKnown = true, save, settle = () => undefined }: HarnessProps) {
  const form = useSettingsForm({
    saved: { name: saved },
    isKnown,
    check: ({ name }) => (name === '' ? 'a name is needed' : undefined),
    save: ({ name }) => save(name),
    refresh: settle,
    done: 'saved',
    handles: (error) => error instanceof RangeError,
  });
  return (
    <SettingsForm form={form} action="Save">
      <TextInput
        label="Name"
        value={form.value.name}
        error={form.problem}
        onChange={(event) => form.edit({ name: event.currentTarget.value })}
      />
      {form.refusal !== undefined && <p>{String(form.refusal)}</p>}
    </SettingsForm>
  );
}

function show(first: HarnessProps) {
  const within = (props: HarnessProps) => (
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <Harness {...props} />
      </QueryClientProvider>
    </MantineProvider>
  );
  const { rerender } = render(within(first));
  return { user: userEvent.setup(), again: (props: HarnessProps) => rerender(within(props)) };
}

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
const isMarked = () => screen.queryByText(i18next.t('helper.unsaved')) !== null;

it('keeps typed text when the server answers late and marks it until saved', async () => {
  const save = vi.fn(async () => undefined);
  const { user, again } = show({ saved: 'old', save });
  expect([field().value, isMarked()]).toEqual(['old', false]);
  await user.type(field(), 'er');
  again({ saved: 'other', save });
  expect([field().value, isMarked()]).toEqual(['older', true]);
  await user.click(button());
  await waitFor(() => expect(isMarked()).toBe(false));
  expect(save.mock.calls).toEqual([['older']]);
  expect(field().value).toBe('other');
});

it('shows no marker when the typed text equals the saved one', async () => {
  const { user } = show({ saved: 'old', save: async () => undefined });
  await user.type(field(), 'x{Backspace}');
  expect(isMarked()).toBe(false);
});

it('shows validation errors without a call and clears them on input', async () => {
  const save = vi.fn(async () => undefined);
  const { user } = show({ saved: 'old', save });
  await user.clear(field());
  await user.click(button());
  expect(screen.getByText('a name is needed')).toBeTruthy();
  await user.type(field(), 'n');
  expect(screen.queryByText('a name is needed')).toBeNull();
  expect(save).not.toHaveBeenCalled();
});

it('keeps typed text after a refused save and shows the failures it handles', async () => {
  const { user } = show({ saved: 'old', save: () => Promise.reject(new RangeError('too long')) });
  await user.type(field(), 'er');
  await user.click(button());
  expect(await screen.findByText('RangeError: too long')).toBeTruthy();
  expect([field().value, isMarked()]).toEqual(['older', true]);
});

it('discards the draft only when the saved value is up to date', async () => {
  let settled = () => {};
  const settle = () => new Promise<void>((resolve) => (settled = resolve));
  const { user } = show({ saved: 'old', save: async () => undefined, settle });
  await user.type(field(), 'er');
  await user.click(button());
  expect([field().value, isMarked()]).toEqual(['older', true]);
  settled();
  await waitFor(() => expect(field().value).toBe('old'));
});

it('does not save before the saved value is known', async () => {
  const save = vi.fn(async () => undefined);
  const { user } = show({ saved: 'old', isKnown: false, save });
  expect(button().disabled).toBe(true);
  await user.type(field(), 'er{Enter}');
  expect(save).not.toHaveBeenCalled();
});

import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { Accordion } from './accordion.tsx';

const items = [
  { key: '0', title: 'Zero', content: <input aria-label="Zero's field" /> },
  { key: '1', title: 'One', help: 'About one', content: <input aria-label="One's field" /> },
];

it('shows one item at a time, and keeps what was typed into the other', async () => {
  const user = userEvent.setup();
  render(<Accordion items={items} initial="1" />);
  const [zero, one] = ['Zero', 'One'].map((name) => screen.getByRole('button', { name }));
  expect(one?.getAttribute('aria-expanded')).toBe('true');
  expect(screen.queryByLabelText("Zero's field")).toBeNull();
  await user.type(screen.getByRole('textbox', { name: "One's field" }), 'typed');

  if (zero) await user.click(zero);
  expect(screen.getByRole('textbox', { name: "Zero's field" })).toBeDefined();
  expect(screen.queryByRole('textbox', { name: "One's field" })).toBeNull();

  if (one) await user.click(one);
  expect(screen.getByRole('textbox', { name: "One's field" })).toHaveProperty('value', 'typed');
  if (one) await user.click(one);
  expect(screen.queryByRole('textbox')).toBeNull();
});

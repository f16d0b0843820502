import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { Accordion } from './accordion.tsx';

const items = [
  { key: '0', title: 'Zero', content: <input aria-label="Zero's field" /> },
  { key: '1', title: 'One', help: 'About one', content: <input aria-label="One's field" /> },
];

it('shows one item at a time and keeps typed text in the others', async () => {
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

it('scrolls an opened header into view, but not initially', async () => {
  const user = userEvent.setup();
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  const { rerender } = render(<Accordion items={items} initial="1" />);
  expect(scrolled).not.toHaveBeenCalled();
  // jsdom has no layout, so every header counts as hidden behind the top bar.
  await user.click(screen.getByRole('button', { name: 'Zero' }));
  expect(scrolled).toHaveBeenCalledTimes(1);
  rerender(<Accordion items={items} initial="1" asked={{ key: '1' }} />);
  expect(screen.getByRole('button', { name: 'One' }).getAttribute('aria-expanded')).toBe('true');
  expect(scrolled).toHaveBeenCalledTimes(2);
});

it('toggles items independently if several are open initially', async () => {
  const user = userEvent.setup();
  const more = [...items, { key: '2', title: 'Two', content: 'inside two' }];
  render(<Accordion items={more} initial={['0', '1']} />);
  const open = () =>
    screen.getAllByRole('button').filter((button) => button.getAttribute('aria-expanded') === 'true').length;
  expect(open()).toBe(2);
  await user.click(screen.getByRole('button', { name: 'Two' }));
  expect(open()).toBe(3);
  await user.click(screen.getByRole('button', { name: 'Zero' }));
  expect(screen.queryByRole('textbox', { name: "Zero's field" })).toBeNull();
  expect(screen.getByRole('textbox', { name: "One's field" })).toBeDefined();
});

it('keeps item buttons usable while closed', async () => {
  const user = userEvent.setup();
  const onPress = vi.fn();
  const action = (
    <button type="button" onClick={onPress}>
      Press
    </button>
  );
  render(<Accordion items={[{ ...items[0], key: '0', title: 'Zero', content: 'inside', action }]} initial="" />);
  await user.click(screen.getByRole('button', { name: 'Press' }));
  expect(onPress).toHaveBeenCalled();
  expect(screen.getByRole('button', { name: 'Zero' }).getAttribute('aria-expanded')).toBe('false');
});

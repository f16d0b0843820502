import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useStickToBottom } from './use-stick-to-bottom.ts';

function List({ news, own }: { news: number; own?: string }) {
  const { box, isBack, onScroll, toNewest } = useStickToBottom([news], own);
  return (
    <>
      <div ref={box} data-testid="list" onScroll={onScroll} />
      {isBack && (
        <button type="button" onClick={toNewest}>
          newest
        </button>
      )}
    </>
  );
}

/** Sets the sizes, because tests have no layout. */
function give(sizes: { scrollHeight: number; clientHeight: number }): HTMLElement {
  const list = screen.getByTestId('list');
  for (const [name, value] of Object.entries(sizes)) Object.defineProperty(list, name, { value, configurable: true });
  return list;
}

it('sticks to the end until the user scrolls up, and again after returning or talking', () => {
  const { rerender } = render(<List news={0} />);
  const list = give({ scrollHeight: 1000, clientHeight: 200 });
  rerender(<List news={1} />);
  expect(list.scrollTop).toBe(1000);

  // Less height, as when a notice appears, without scrolling.
  list.scrollTop = 800;
  fireEvent.scroll(list);
  give({ scrollHeight: 1000, clientHeight: 100 });
  fireEvent.scroll(list);
  expect(screen.queryByRole('button')).toBeNull();

  list.scrollTop = 300;
  fireEvent.scroll(list);
  rerender(<List news={2} />);
  expect(list.scrollTop).toBe(300);
  fireEvent.click(screen.getByRole('button', { name: 'newest' }));
  expect(list.scrollTop).toBe(1000);
  expect(screen.queryByRole('button')).toBeNull();

  list.scrollTop = 300;
  fireEvent.scroll(list);
  rerender(<List news={3} own="said" />);
  expect(list.scrollTop).toBe(1000);
  expect(screen.queryByRole('button')).toBeNull();
});

// Search and theme of the documentation. The index is a file beside the pages; no server is asked.

const mostHits = 12;
const excerptBefore = 40;
const excerptAfter = 100;
const field = document.querySelector('#search');
const list = document.querySelector('#found');
let rows;
let active = -1;

function loadRows() {
  rows ??= fetch('search.json').then((answer) => answer.json());
  return rows;
}

/** Every word must occur in the title, the heading or the text; titles count most. */
function find(all, query) {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  const hits = [];
  for (const row of all) {
    const [, title, heading, , text] = row;
    const places = [title.toLowerCase(), heading.toLowerCase(), text.toLowerCase()];
    let score = 0;
    for (const word of wanted) {
      const best = places[1].includes(word) ? 8 : places[0].includes(word) ? 5 : places[2].includes(word) ? 1 : 0;
      if (best === 0) {
        score = 0;
        break;
      }
      score += best + (places[0] === word || places[1] === word ? 10 : 0) + (heading === '' ? 1 : 0);
    }
    if (score > 0)
      hits.push({
        row,
        score,
        at: places[2].indexOf(wanted[0] ?? ''),
      });
  }
  return hits.sort((a, b) => b.score - a.score).slice(0, mostHits);
}

function item({ row, at }, index) {
  const [page, title, heading, anchor, text] = row;
  const link = document.createElement('a');
  link.href = `${page}.html${anchor === '' ? '' : `#${encodeURIComponent(anchor)}`}`;
  link.tabIndex = -1;
  const name = document.createElement('strong');
  name.textContent = heading === '' ? title : `${title} › ${heading}`;
  const excerpt = document.createElement('span');
  const from = Math.max(0, at - excerptBefore);
  excerpt.textContent = `${from > 0 ? '…' : ''}${text.slice(from, Math.max(0, at) + excerptAfter)}`;
  link.append(name, excerpt);
  const entry = document.createElement('li');
  entry.id = `hit-${index}`;
  entry.setAttribute('role', 'option');
  entry.append(link);
  return entry;
}

function mark(next) {
  if (!list || !field) return;
  const entries = [...list.querySelectorAll('li')];
  active = entries.length === 0 ? -1 : (next + entries.length) % entries.length;
  entries.forEach((entry, index) => {
    entry.setAttribute('aria-selected', String(index === active));
  });
  field.setAttribute('aria-activedescendant', active < 0 ? '' : `hit-${active}`);
  entries[active]?.scrollIntoView({
    block: 'nearest',
  });
}

function close() {
  if (!list || !field) return;
  list.hidden = true;
  field.setAttribute('aria-expanded', 'false');
}

async function search() {
  if (!field || !list) return;
  const query = field.value.trim();
  if (query === '') return close();
  const hits = find(await loadRows(), query);
  // Typed further meanwhile.
  if (query !== field.value.trim()) return;
  list.replaceChildren(...hits.map(item));
  if (hits.length === 0) {
    const none = document.createElement('li');
    none.className = 'none';
    none.textContent = document.body.dataset.none ?? '';
    list.append(none);
  }
  list.hidden = false;
  field.setAttribute('aria-expanded', 'true');
  active = -1;
}

field?.addEventListener('focus', () => void loadRows());
field?.addEventListener('input', () => void search());
field?.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    mark(active + (event.key === 'ArrowDown' ? 1 : -1));
  } else if (event.key === 'Enter') {
    list?.querySelectorAll('li a')[Math.max(0, active)]?.click();
  } else if (event.key === 'Escape') close();
});
document.addEventListener('click', (event) => {
  if (event.target instanceof Node && !list?.contains(event.target) && event.target !== field) close();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || document.activeElement instanceof HTMLInputElement) return;
  event.preventDefault();
  field?.focus();
});
document.querySelector('#theme')?.addEventListener('click', () => {
  const { dataset } = document.documentElement;
  const isDark = dataset.theme ? dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  dataset.theme = isDark ? 'light' : 'dark';
  try {
    localStorage.setItem('WEIR_COLOR_SCHEME', dataset.theme);
  } catch {}
});

// Open beside the text where there is room.
const menu = document.querySelector('.menu');
const wide = matchMedia('(min-width: 900px)');
const place = () => {
  if (menu) menu.open = wide.matches;
};
wide.addEventListener('change', place);
place();
menu?.querySelector('[aria-current]')?.scrollIntoView({
  block: 'nearest',
});
window.scrollTo({
  top: location.hash === '' ? 0 : window.scrollY,
});

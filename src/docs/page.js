const search = document.getElementById('search');
const found = document.getElementById('found');
const token = document.getElementById('token');

// A list, because each operation and schema has an entry in the contents.
const entries = [...document.querySelectorAll('[data-entry]')].map((section) => ({
  section,
  item: document.querySelector(`[data-for="${section.id}"]`),
  text: section.textContent.toLowerCase(),
}));

/** Shows the operations and schemas with every word of the search. */
function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const { section, item, text } of entries) {
    const isFound = words.every((word) => text.includes(word));
    section.hidden = !isFound;
    item.hidden = !isFound;
    if (isFound) count += 1;
  }
  found.textContent = words.length > 0 ? `${count} found` : '';
}

search.addEventListener('input', filter);

// A link may lead to what the search hides.
addEventListener('hashchange', () => {
  const target = document.getElementById(location.hash.slice(1));
  if (!target?.hidden) return;
  search.value = '';
  filter();
  target.scrollIntoView();
});

// The browser keeps a page that it may come back to.
addEventListener('pagehide', () => {
  token.value = '';
});

/** What ends the last request of a form: an event stream does not end by itself. */
const running = new WeakMap();

document.addEventListener('submit', (event) => {
  event.preventDefault();
  const form = event.target;
  running.get(form)?.abort();
  const controller = new AbortController();
  running.set(form, controller);
  const output = form.querySelector('output');
  send(form, output, controller.signal).catch((error) => {
    if (!controller.signal.aborted) output.textContent = String(error);
  });
});

/** Sends the request of a form, and shows the answer as it arrives. */
async function send(form, output, signal) {
  const { url, init } = buildRequest(form);
  output.textContent = 'Sending…';
  const start = performance.now();
  const response = await fetch(url, { ...init, signal });
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const status = document.createElement('strong');
  status.textContent = `${response.status} in ${Math.round(performance.now() - start)} ms`;
  const [head, body] = [document.createElement('pre'), document.createElement('pre')];
  head.textContent = headers;
  output.replaceChildren(status, head, body);
  if (response.body === null) return;
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) body.textContent += chunk;
  body.textContent = pretty(body.textContent);
}

function buildRequest(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = {};
  for (const { name, value, dataset } of form.querySelectorAll('[data-in]')) {
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== '' && dataset.in === 'query') query.set(name, value);
    else if (value !== '') headers[name] = value;
  }
  if (token.value !== '') headers.Authorization = `Bearer ${token.value.trim()}`;
  const body = form.elements.namedItem('body')?.value;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const url = `/api/v1${path}${query.size > 0 ? `?${query}` : ''}`;
  return { url, init: { method: form.dataset.method.toUpperCase(), headers, body } };
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

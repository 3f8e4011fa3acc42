import type { Json } from '../harness/client.ts';
import type { Person } from './people.ts';

/** A public post of `author` with a slider; `fields` override or add. */
export async function aSlider(author: Person, fields: object = {}): Promise<Json> {
  const { data } = await author.post('/posts', {
    sliderText: 'Is this so?',
    visibility: 'public',
    ...fields,
  });
  return data;
}

/** A public post of `author` that is a thought alone. */
export async function aThought(author: Person, thoughtText = 'I think so.'): Promise<Json> {
  const { data } = await author.post('/posts', { thoughtText, visibility: 'public' });
  return data;
}

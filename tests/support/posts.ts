import type { Client, Json, Reply } from './client.ts';
import type { Person } from './people.ts';

/** `author` publishes a public post of `fields`. */
export function publish(author: Client, fields: object): Promise<Reply> {
  return author.post('/posts', { visibility: 'public', ...fields });
}

/** A public post of `author` with a slider; `fields` override or add. */
export async function aSlider(author: Person, fields: object = {}): Promise<Json> {
  return published(author, { sliderText: 'Is this so?', ...fields });
}

/** A public post of `author` that is a thought alone. */
export async function aThought(author: Person, thoughtText = 'I think so.'): Promise<Json> {
  return published(author, { thoughtText });
}

/** `post` as `viewer` sees it. */
export async function seenBy(viewer: Client, post: Json): Promise<Json> {
  return (await viewer.get(`/posts/${post.id}`)).data;
}

async function published(author: Person, fields: object): Promise<Json> {
  const { status, data, error } = await publish(author, fields);
  if (status !== 201) throw new Error(`A post was not published: ${JSON.stringify(error)}`);
  return data;
}

/** So many thoughts of `author`'s, the oldest first. */
export function thoughts(author: Person, count: number): Promise<Json[]> {
  return several(() => aThought(author), count);
}

/** So many posts of `author`'s with sliders, the oldest first. */
export function sliders(author: Person, count: number): Promise<Json[]> {
  return several(() => aSlider(author), count);
}

async function several(publishOne: () => Promise<Json>, count: number): Promise<Json[]> {
  const posts: Json[] = [];
  while (posts.length < count) posts.push(await publishOne());
  return posts;
}

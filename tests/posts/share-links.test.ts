import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client, Json } from '../support/client.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, hubReadyPerson, type Person, registeredPerson } from '../support/people.ts';
import { aRepost, aSlider, aThought } from '../support/posts.ts';

let opine: Opine;
let maya: Person;

beforeAll(async () => {
  opine = await startOpine();
  maya = await confirmedPerson(opine, 'Maya');
});

afterAll(() => opine.stop());

const requestLink = (reader: Client, { id }: Json) => reader.get(`/posts/${id}/share-link`);
const linkTo = ({ id }: Json) => ({ url: `https://opine.example/posts/${id}` });

describe('GET /posts/{postId}/share-link', () => {
  // docs/product.md PO23
  test('every reader gets the same URL of a post or a repost', async () => {
    const source = await aSlider(maya);
    for (const post of [source, await aRepost(maya, source)]) {
      for (const reader of [maya, await registeredPerson(opine), await hubReadyPerson(opine)]) {
        const { status, data } = await requestLink(reader, post);
        expect([status, data]).toEqual([200, linkTo(post)]);
      }
    }
  });

  test('the URL begins with APP_URL', async () => {
    const elsewhere = await anOpine({ APP_URL: 'https://app.test' });
    const author = await confirmedPerson(elsewhere);
    const post = await aThought(author);
    expect((await requestLink(author, post)).data).toEqual({ url: `https://app.test/posts/${post.id}` });
  });

  test('an upper-case post id gets the URL with the canonical id', async () => {
    const post = await aThought(maya);
    expect((await requestLink(maya, { id: post.id.toUpperCase() })).data).toEqual(linkTo(post));
  });
});

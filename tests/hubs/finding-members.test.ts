import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { granted, idsOf, withQuery } from '../support/graph.ts';
import { aHubOf, callIn, idsIn } from '../support/hub-members.ts';
import { aNamedMember, invalid } from '../support/hub-worlds.ts';
import { aHub, join, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aHubReady } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

describe('GET /hubs/{hubId}/members?q=', () => {
  test.each([
    [
      'Maria del Carmen',
      'qa_1',
      ['maria', 'MAR', 'del', 'carmen', 'maria del', 'del car', ' maria ', 'qa_', '@QA_1'],
    ],
    ['José Ibárruri', 'qb_1', ['jose', 'JOSÉ', 'Jose\u0301', 'ibarruri', 'jose ibarruri']],
    ['Łukasz Żółć', 'qc_1', ['lukasz', 'ŁUKASZ', 'zolc']],
    ['Мария Иванова', 'qd_1', ['мария', 'МАРИЯ', 'иван']],
    ['山田 太郎', 'qe_1', ['山田', '太郎']],
    ["100% O'Brien_\\", 'qf_1', ["o'b", '100%']],
  ])('queries by the beginning of a word or of the username find %s', async (fullName, username, queries) => {
    const { hub, amara } = await aHubOf(opine, 2);
    const { id } = await aNamedMember(opine, amara, hub, fullName, username);
    for (const q of queries) expect(await idsIn(amara, hub, { q }), q).toEqual([id]);
  });

  test.each([
    'aria',
    'armen',
    'mariadel',
    'a_1',
    'maria carmen',
    '%',
    '_',
    'm%',
    'ma_ia',
    '\\',
    "' or 1=1 --",
    '+1202',
  ])('the query %j does not find Maria del Carmen', async (q) => {
    const { hub, amara } = await aHubOf(opine, 0);
    await callIn(amara, { displayName: 'Zoe' });
    const username = `qz_${amara.username.replace(/\D/g, '')}`;
    await aNamedMember(opine, amara, hub, 'Maria del Carmen', username);
    await granted(amara.patch('/users/me/profile', { username: `zoe${username}` }));
    expect(await idsIn(amara, hub, { q })).toEqual([]);
  });

  test('pagination lists each match once, ordered by what matched', async () => {
    const amara = await aHubReady(opine, 'Wanda');
    const hub = await aHub(amara);
    const byLastName = await aNamedMember(opine, amara, hub, 'Aaron Annoni', 'qo_1');
    const byHandle = await aNamedMember(opine, amara, hub, 'Aaron Bell', 'annex_7');
    await aNamedMember(opine, amara, hub, 'Aaron Nanni', 'qo_2');
    const byBoth = await aNamedMember(opine, amara, hub, 'Annabel Annabel', 'annabel_7');
    const byFirstName = await aNamedMember(opine, amara, hub, 'Annika Zorn', 'qo_3');
    const ordered = idsOf([byBoth, byHandle, byFirstName, byLastName]);
    for (const limit of [1, 2, 3, 4, 100])
      expect(await idsIn(amara, hub, { q: 'ann', limit }), `${limit}`).toEqual(ordered);
  });

  test('the query matches the current Hub display name and username', async () => {
    const { hub, amara, people } = await aHubOf(opine, 2);
    const [, jonas, lena] = people;
    if (!jonas || !lena) throw new Error('Nobody came.');
    await callIn(jonas, { displayName: 'Xanthippe Early' });
    await granted(jonas.patch('/users/me/profile', { fullName: 'Ypsilanti Public', username: 'yps_today' }));
    await granted(lena.patch('/users/me/profile', { fullName: 'Wilhelmina Public' }));
    const expected = {
      xan: [jonas.id],
      early: [jonas.id],
      yps_today: [jonas.id],
      ypsilanti: [],
      public: [lena.id],
    };
    for (const [q, ids] of Object.entries(expected)) expect(await idsIn(amara, hub, { q }), q).toEqual(ids);
    expect(await idsIn(amara, hub, { q: jonas.username })).toEqual([]);
    await callIn(jonas, { displayName: 'Xaver Late' });
    expect(await idsIn(amara, hub, { q: 'xan' })).toEqual([]);
    expect(await idsIn(amara, hub, { q: 'late' })).toEqual([jonas.id]);
  });

  test('the query finds members of this Hub only, while they are members', async () => {
    const { hub, amara, people } = await aHubOf(opine, 1);
    const [, jonas] = people;
    if (!jonas) throw new Error('Nobody came.');
    await callIn(jonas, { displayName: 'Quirinus' });
    const other = await aHub(amara);
    await aNamedMember(opine, amara, other, 'Quirina');
    expect(await idsIn(amara, hub, { q: 'quiri' })).toEqual([jonas.id]);
    await granted(requestLeave(jonas, hub));
    expect(await idsIn(amara, hub, { q: 'quiri' })).toEqual([]);
    await callIn(jonas, { displayName: 'Quirin' });
    expect(await idsIn(amara, hub, { q: 'quiri' })).toEqual([]);
    await join(amara, hub, [jonas]);
    expect(await idsIn(amara, hub, { q: 'quirin' })).toEqual([jonas.id]);
  });

  test.each(['', '  ', 'x'.repeat(81), 'no\u0000t'])('the malformed query %j is 422', async (q) => {
    const { hub, amara } = await aHubOf(opine, 0);
    expect(await amara.get(withQuery(`/hubs/${hub.id}/members`, { q }))).toMatchObject(invalid('q'));
  });
});

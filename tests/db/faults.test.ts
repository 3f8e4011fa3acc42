import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/db/paths.ts';
import type { Fault } from '../mutations/fault.ts';
import { SCHEMA_FAULTS } from '../mutations/schema-faults.ts';
import { SRC_FAULTS } from '../mutations/src-faults.ts';
import {
  ACTIVITY_MUTATIONS,
  CARD_MUTATIONS,
  FEED_MUTATIONS,
  POLICY_MUTATIONS,
} from '../simulations/feeds/mutations.ts';
import { declarationOf } from '../support/mutations.ts';

/** Returns how often the clause of a fault stands in what the fault changes. */
function occurrences({ in: place, clause }: Pick<Fault, 'in' | 'clause'>): number {
  const text = place.startsWith('src/')
    ? readFileSync(path.join(ROOT, place), 'utf8')
    : declarationOf(place).statement;
  return text.split(clause).length - 1;
}

// The deep tests put them in, hours after a change of the clause.
test('the clause of each fault and mutation stands once in what it names, and the test that notices it exists', () => {
  const mutations = [...POLICY_MUTATIONS, ...FEED_MUTATIONS, ...ACTIVITY_MUTATIONS, ...CARD_MUTATIONS];
  const faults = [...SCHEMA_FAULTS, ...SRC_FAULTS];
  const places = [...faults, ...mutations.map(([place, clause]) => ({ in: place, clause }))];
  expect(places.filter((fault) => occurrences(fault) !== 1)).toEqual([]);
  expect(faults.filter(({ noticedBy }) => !existsSync(path.join(ROOT, noticedBy)))).toEqual([]);
});

import { randomBytes } from 'node:crypto';
import { chooseForDefaultFeed } from '../../support/feeds.ts';
import { granted } from '../../support/graph.ts';
import { aConfirmed, aHubReady, anAnonymous, aRegistered, type Person } from '../../support/people.ts';
import { aPng } from '../../support/pictures.ts';
import type { StoringOpine } from '../../support/storage.ts';
import { anUpload, type Purpose } from '../../support/uploads.ts';

/** A word that occurs nowhere else, of letters, so that it can be a name. */
export function aWord(): string {
  return randomBytes(10)
    .toString('hex')
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
}

/** The words that lead to this Hub and nowhere else. */
function theWords() {
  return {
    link: aWord(),
    quiet: aWord(),
    requester: aWord(),
    lockedThought: aWord(),
    lockedSlider: aWord(),
    lockedTitle: aWord(),
    lockedText: aWord(),
    sharedThought: aWord(),
    onwardThought: aWord(),
    repostThought: aWord(),
    reported: aWord(),
    formerThought: aWord(),
    root: aWord(),
    reply: aWord(),
    saidByFormer: aWord(),
    saidByRemoved: aWord(),
    aside: aWord(),
  };
}

/** Somebody in Hubs under a name and a photo that they have nowhere else. */
export interface Masked {
  readonly person: Person;
  readonly hubName: string;
  readonly photo: string;
}

export type People = Awaited<ReturnType<typeof thePeople>>;

/** Everybody in the Hub, beside it and outside of it. */
export async function thePeople(opine: StoringOpine) {
  const words = theWords();
  const masked = async (name: string): Promise<Masked> => {
    const person = await aHubReady(opine, name);
    const [displayName, profileAssetId] = [aWord(), await anAsset(person, 'profile_photo')];
    await granted(person.patch('/users/me/hub-profile', { displayName, profileAssetId }));
    return { person, hubName: displayName, photo: profileAssetId };
  };
  const [removed, former] = [await masked('Removed'), await masked('Former')];
  const amara = await masked('Amara');
  await chooseForDefaultFeed(opine, amara.person);
  return {
    words,
    amara,
    bela: await masked('Bela'),
    chidi: await masked('Chidi'),
    /** Of whom nobody outside hears but by her address. */
    dara: await masked(words.quiet),
    host: await aHubReady(opine, 'Host'),
    requester: await aHubReady(opine, words.requester),
    removed,
    former,
    anonymous: await anAnonymous(opine),
    registered: await aRegistered(opine),
    confirmed: await aConfirmed(opine),
    ready: {
      'a stranger': await aHubReady(opine, 'Stranger'),
      'an invited': await aHubReady(opine, 'Invited'),
      'a pending': await aHubReady(opine, 'Pending'),
      'a rejected': await aHubReady(opine, 'Rejected'),
      'a removed': removed.person,
      'a former': former.person,
      'a member elsewhere': await aHubReady(opine, 'Neighbour'),
      'an admin elsewhere': await aHubReady(opine, 'Ruler'),
    },
  };
}

/** An upload of `person`'s, for `purpose`. */
export async function anAsset(person: Person, purpose: Purpose): Promise<string> {
  return (await anUpload(person, await aPng(), purpose)).assetId;
}

import { randomBytes } from 'node:crypto';
import { expectOk } from '../../support/client.ts';
import { addToDefaultFeed } from '../../support/feeds.ts';
import {
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  type Person,
  registeredPerson,
} from '../../support/people.ts';
import { aPng } from '../../support/pictures.ts';
import type { OpineWithStorage } from '../../support/storage.ts';
import { anUpload, type Purpose } from '../../support/uploads.ts';

/** Returns a unique word of letters, which is a valid name. */
export function uniqueWord(): string {
  return randomBytes(10)
    .toString('hex')
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
}

/** Creates unique words; an answer that contains one has leaked it. */
function createWords() {
  return {
    link: uniqueWord(),
    quiet: uniqueWord(),
    requester: uniqueWord(),
    lockedThought: uniqueWord(),
    lockedSlider: uniqueWord(),
    lockedTitle: uniqueWord(),
    lockedText: uniqueWord(),
    sharedThought: uniqueWord(),
    onwardThought: uniqueWord(),
    repostThought: uniqueWord(),
    reported: uniqueWord(),
    formerThought: uniqueWord(),
    root: uniqueWord(),
    reply: uniqueWord(),
    saidByFormer: uniqueWord(),
    saidByRemoved: uniqueWord(),
    aside: uniqueWord(),
    removed: uniqueWord(),
    statement: uniqueWord(),
  };
}

/** A person with a Hub name and Hub photo that appear only in Hubs. */
export interface Masked {
  readonly person: Person;
  readonly hubName: string;
  readonly photo: string;
}

export type People = Awaited<ReturnType<typeof createPeople>>;

/** Creates the members and non-members. */
export async function createPeople(opine: OpineWithStorage) {
  const words = createWords();
  const masked = async (name: string): Promise<Masked> => {
    const person = await hubReadyPerson(opine, name);
    const [displayName, profileAssetId] = [uniqueWord(), await anAsset(person, 'profile_photo')];
    await expectOk(person.patch('/users/me/hub-profile', { displayName, profileAssetId }));
    return { person, hubName: displayName, photo: profileAssetId };
  };
  const [removed, former] = [await masked('Removed'), await masked('Former')];
  const amara = await masked('Amara');
  await addToDefaultFeed(opine, amara.person);
  return {
    words,
    amara,
    bela: await masked('Bela'),
    chidi: await masked('Chidi'),
    /** A member whom non-members find only by her profile address. */
    dara: await masked(words.quiet),
    host: await hubReadyPerson(opine, 'Host'),
    requester: await hubReadyPerson(opine, words.requester),
    removed,
    former,
    anonymous: await anonymousPerson(opine),
    registered: await registeredPerson(opine),
    confirmed: await confirmedPerson(opine),
    ready: {
      'an unrelated user': await hubReadyPerson(opine, 'Stranger'),
      'an invited': await hubReadyPerson(opine, 'Invited'),
      'a pending': await hubReadyPerson(opine, 'Pending'),
      'a rejected': await hubReadyPerson(opine, 'Rejected'),
      'a removed': removed.person,
      'a former': former.person,
      'a member elsewhere': await hubReadyPerson(opine, 'Neighbour'),
      'an admin elsewhere': await hubReadyPerson(opine, 'Ruler'),
    },
  };
}

/** Uploads a picture and returns its asset id. */
export async function anAsset(person: Person, purpose: Purpose): Promise<string> {
  return (await anUpload(person, await aPng(), purpose)).assetId;
}

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Returns whether nothing keeps an object in memory any more. */
export async function isForgotten(object: WeakRef<object>): Promise<boolean> {
  // What the event loop still holds goes within some turns.
  for (let turns = 0; turns < 50; turns += 1) {
    await new Promise(setImmediate);
    collectGarbage();
    if (object.deref() === undefined) return true;
  }
  return false;
}

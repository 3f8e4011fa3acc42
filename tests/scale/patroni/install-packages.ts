import { runScript } from '../../../scripts/db/run-script.ts';
import { installPackages, NEWEST } from '../../support/releases.ts';

/** Installs the packages of the newest release before the tests, which have no network. */
runScript(async () => installPackages(NEWEST));

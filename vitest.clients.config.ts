import { installTools } from './scripts/tools.ts';
import { GENERATED, suite } from './tests/support/suite.ts';

installTools();

export default suite({ include: GENERATED, testTimeout: 600_000, hookTimeout: 600_000 });

import { installTools } from './scripts/tools.ts';
import { DEEP, suite } from './tests/support/suite.ts';

installTools();

// TEST_DEPTH takes less time than the depth that finds most.
export default suite({
  include: [...DEEP, 'tests/http/bad-input.test.ts'],
  provide: { depth: Number(process.env.TEST_DEPTH ?? 16) },
  testTimeout: 3_600_000,
});

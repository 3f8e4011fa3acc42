import { DEEP, suite } from './tests/support/suite.ts';

// CI, which has less time, sets TEST_DEPTH.
export default suite({
  include: [...DEEP, 'tests/http/bad-input.test.ts'],
  provide: { depth: Number(process.env.TEST_DEPTH ?? 16) },
  testTimeout: 3_600_000,
});

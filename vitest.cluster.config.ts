import { CLUSTER, suite } from './tests/support/suite.ts';

export default suite({
  globalSetup: [],
  include: CLUSTER,
  testTimeout: 600_000,
  hookTimeout: 600_000,
  // Each file has a cluster, at the same addresses.
  fileParallelism: false,
});

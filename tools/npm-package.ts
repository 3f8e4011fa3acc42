export { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
export { publint } from 'publint';

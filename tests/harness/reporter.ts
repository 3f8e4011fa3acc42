import { writeSync } from 'node:fs';
import type { Reporter, TestModule, TestSuite } from 'vitest/node';

/**
 * Ends a run with one line, `N passed, N failed` and `, N skipped` where there are any: what CI reads.
 *
 * Whatever keeps tests from running counts as a failure too: a file that does not load, a hook or a set-up that fails.
 */
export default class ClosingLine implements Reporter {
  private line = '0 passed, 1 failed';

  onInit(): void {
    // The default reporter and teardowns write after onTestRunEnd.
    process.once('exit', () => writeSync(1, `${this.line}\n`));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const broken = modules.flatMap((module) => [module, ...module.children.allSuites()]).filter(hasErrors);
    const failed = count('failed') + broken.length + unhandledErrors.length;
    const skipped = tests.length - count('passed') - count('failed');
    this.line = `${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  }
}

function hasErrors(entity: TestModule | TestSuite): boolean {
  return entity.errors().length > 0;
}

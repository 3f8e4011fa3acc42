import { writeSync } from 'node:fs';
import type { Reporter, TestModule, TestSuite } from 'vitest/node';

/**
 * Ends a run with one line for CI: `N passed, N failed`, and `, N skipped` if any. Files, hooks and set-ups that
 * fail count as failures.
 */
export default class ClosingLine implements Reporter {
  private passed = 0;
  private failed = 0;
  private skipped = 0;

  onInit(): void {
    // The default reporter writes after onTestRunEnd, and no reporter hears of a failing set-up.
    process.once('exit', (code) => {
      const failed = code === 0 ? this.failed : Math.max(this.failed, 1);
      const skipped = this.skipped > 0 ? `, ${this.skipped} skipped` : '';
      writeSync(1, `${this.passed} passed, ${failed} failed${skipped}\n`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const broken = modules.flatMap((module) => [module, ...module.children.allSuites()]).filter(hasErrors);
    this.passed = count('passed');
    this.failed = count('failed') + broken.length + unhandledErrors.length;
    this.skipped = tests.length - count('passed') - count('failed');
  }
}

function hasErrors(entity: TestModule | TestSuite): boolean {
  return entity.errors().length > 0;
}

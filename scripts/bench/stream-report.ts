import { markdownTable } from './markdown.ts';
import type { Delays } from './stream-probe.ts';
import { STREAMS } from './stream-sizes.ts';
import type { Trial } from './stream-trial.ts';

const TARGET_BYTES = 14_000;

/** What each stream takes of memory, held against node:http alone. */
export function memoryTable(ours: Trial, bare: Trial): string {
  const row = (title: string, of: keyof Trial['memory'], isJudged: boolean) => {
    const [bytes, others] = [ours.memory[of], bare.memory[of]];
    const verdict = `${TARGET_BYTES} ${bytes <= TARGET_BYTES ? 'met' : 'MISSED'}`;
    return [
      ...[title, bytes.toFixed(0), others.toFixed(0), (bytes / others).toFixed(2)],
      isJudged ? verdict : '',
    ];
  };
  const headings = [`bytes a stream, ${STREAMS} streams`, ours.title, bare.title, 'ratio', 'target'];
  return markdownTable(headings, [
    row('3 s after the last was opened', 'opened', true),
    row('the same, garbage collected', 'collected', true),
    row('after two rounds of comments', 'later', true),
    row('when all have left, garbage collected', 'left', false),
  ]);
}

/** How late the event loop is. */
export function delaysTable(trials: readonly Trial[]): string {
  const row = (title: string, { median, p99, longest }: Delays) => [
    title,
    ...[median, p99, longest].map((delay) => delay.toFixed(1)),
  ];
  const rows = trials.flatMap(({ title, alone, commenting }) => [
    row(`${title}, no stream`, alone),
    row(`${title}, comments to ${STREAMS} streams`, commenting),
  ]);
  return markdownTable(['ms of event-loop delay', 'median', '99th percentile', 'longest'], rows);
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../support/client.ts';
import { metricsIn, type Scrape, scrape, WITH_METRICS } from '../support/metrics.ts';
import { type StartedOpine, startOpine, WITH_WORKER } from '../support/opine.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

const dashboard: Json = JSON.parse(read('ops/grafana/opine.json'));
const alerts: Json[] = parse(read('ops/prometheus/alerts.yml')).groups.flatMap(({ rules }: Json) => rules);
const guide = read('docs/monitoring.md');

const onDashboard: string[] = dashboard.panels.flatMap(({ targets = [] }: Json) =>
  targets.flatMap(({ expr }: Json) => metricsIn(expr)),
);
const inAlerts = alerts.flatMap(({ expr }) => metricsIn(expr));

let opine: StartedOpine;
let page: Scrape;

beforeAll(async () => {
  opine = await startOpine({ ...WITH_METRICS, ...WITH_WORKER });
  page = await scrape(opine);
});

afterAll(() => opine?.stop());

/** Returns the metric of a series: a histogram has several series. */
function metricOf(series: string): string {
  const base = series.replace(/_(bucket|count|sum)$/, '');
  return page.metrics.has(base) ? base : series;
}

/** Returns the metrics of Opine, without those of Node. */
function opineMetrics(): string[] {
  return [...page.metrics].filter((name) => name.startsWith('opine_'));
}

describe('the dashboard', () => {
  test('every dashboard query uses existing metrics', () => {
    expect(onDashboard.map(metricOf).filter((name) => !page.metrics.has(name))).toEqual([]);
  });

  test('the dashboard shows every metric of Opine', () => {
    expect(opineMetrics().length).toBeGreaterThan(20);
    const shown = new Set(onDashboard.map(metricOf));
    expect(opineMetrics().filter((name) => !shown.has(name))).toEqual([]);
  });

  test('the panels have unique ids, do not overlap, and use one data source', () => {
    const ids = dashboard.panels.map(({ id }: Json) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }: Json) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    const sources = dashboard.panels.flatMap(({ datasource }: Json) => datasource?.uid ?? []);
    expect(new Set(sources)).toEqual(new Set([`\${datasource}`]));
  });
});

describe('the alerts', () => {
  test('every alert uses existing metrics', () => {
    const known = (name: string) => name === 'up' || page.metrics.has(metricOf(name));
    expect(inAlerts.length).toBeGreaterThan(10);
    expect(inAlerts.filter((name) => !known(name))).toEqual([]);
  });

  test('every alert has a severity and a summary', () => {
    for (const alert of alerts) {
      expect(alert).toMatchObject({
        alert: expect.stringMatching(/^Opine\w+$/),
        labels: { severity: expect.stringMatching(/^(page|ticket)$/) },
        annotations: { summary: expect.any(String) },
      });
    }
  });
});

describe('docs/monitoring.md', () => {
  test('docs/monitoring.md lists every alert', () => {
    expect(alerts.map(({ alert }) => alert).filter((name) => !guide.includes(`| \`${name}\` |`))).toEqual([]);
  });

  test('docs/monitoring.md lists every metric of Opine', () => {
    expect(opineMetrics().filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type StartedOpine, startOpine } from '../support/opine.ts';
import { metricsIn } from '../support/promql.ts';
import type { Json } from '../support/reply.ts';
import { SCRAPED, type Scrape, scrape } from '../support/watching.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

const dashboard: Json = JSON.parse(read('ops/grafana/opine.json'));
const alerts: Json[] = parse(read('ops/prometheus/alerts.yml')).groups.flatMap(({ rules }: Json) => rules);
const guide = read('docs/watching.md');

const onDashboard: string[] = dashboard.panels.flatMap(({ targets = [] }: Json) =>
  targets.flatMap(({ expr }: Json) => metricsIn(expr)),
);
const inAlerts = alerts.flatMap(({ expr }) => metricsIn(expr));

let opine: StartedOpine;
let page: Scrape;

beforeAll(async () => {
  opine = await startOpine(SCRAPED);
  page = await scrape(opine);
});

afterAll(() => opine?.stop());

/** The metric that a series belongs to: a histogram has several. */
function metricOf(series: string): string {
  const base = series.replace(/_(bucket|count|sum)$/, '');
  return page.metrics.has(base) ? base : series;
}

/** Those of Opine, without what Node tells of itself. */
function ours(): string[] {
  return [...page.metrics].filter((name) => name.startsWith('opine_'));
}

describe('the dashboard', () => {
  test('asks for what there is', () => {
    expect(onDashboard.map(metricOf).filter((name) => !page.metrics.has(name))).toEqual([]);
  });

  test('shows everything that Opine tells', () => {
    expect(ours().length).toBeGreaterThan(20);
    const shown = new Set(onDashboard.map(metricOf));
    expect(ours().filter((name) => !shown.has(name))).toEqual([]);
  });

  test('has panels that do not lie on each other, each with an id, and one source of data', () => {
    const ids = dashboard.panels.map(({ id }: Json) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const places = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }: Json) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
    );
    expect(new Set(places).size).toBe(places.length);
    const sources = dashboard.panels.flatMap(({ datasource }: Json) => datasource?.uid ?? []);
    expect(new Set(sources)).toEqual(new Set([`\${datasource}`]));
  });
});

describe('the alerts', () => {
  test('ask for what there is', () => {
    const known = (name: string) => name === 'up' || page.metrics.has(metricOf(name));
    expect(inAlerts.length).toBeGreaterThan(10);
    expect(inAlerts.filter((name) => !known(name))).toEqual([]);
  });

  test('say how urgent they are and what is wrong', () => {
    for (const alert of alerts) {
      expect(alert).toMatchObject({
        alert: expect.stringMatching(/^Opine\w+$/),
        labels: { severity: expect.stringMatching(/^(page|ticket)$/) },
        annotations: { summary: expect.any(String) },
      });
    }
  });
});

describe('the guide', () => {
  test('says of each alert what to do', () => {
    expect(alerts.map(({ alert }) => alert).filter((name) => !guide.includes(`| \`${name}\` |`))).toEqual([]);
  });

  test('explains each metric', () => {
    expect(ours().filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resourcesOf, synthesized } from './synthesized.ts';

const page = readFileSync('docs/cost.md', 'utf8');
const LINE = /^\| ([A-Z][^|]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$/gm;
const TOTAL = /^\| \*\*([^*]+)\*\* \| \| \| \*\*([\d.]+)\*\* \|$/gm;

describe.each([
  ['one diagnosis', 'One diagnosis', 6],
  ['each month, unused', 'A month', 2],
])('the sum of %s', (name, heading, digits) => {
  const section = page.split('\n## ').find((part) => part.startsWith(heading)) ?? '';
  const lines = [...section.matchAll(LINE)].map(([, label, quantity, price, cost]) => ({
    label,
    product: (Number(quantity) * Number(price)).toFixed(digits),
    cost,
    exact: Number(quantity) * Number(price),
  }));

  it('has lines that are quantity times price', () => {
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.map(({ cost }) => cost)).toEqual(lines.map(({ product }) => product));
  });

  it('is the sum of its lines', () => {
    const total = [...section.matchAll(TOTAL)].find(([, label]) => label === name)?.[2];

    expect(total).toBe(lines.reduce((sum, { exact }) => sum + exact, 0).toFixed(digits));
  });
});

it('the write units are those that were measured', () => {
  const measured = /\*\*the run\*\* +\| \*\*(\d+)\*\*/.exec(
    readFileSync('docs/records.md', 'utf8'),
  )?.[1];
  const priced = /write request units \| (\d+) \|/.exec(page)?.[1];

  expect(priced).toBe(measured);
});

it('the keys and alarms are those of the templates', () => {
  const { records, service } = synthesized();
  const keys = [records, service].flatMap((template) =>
    Object.keys(resourcesOf(template, 'AWS::KMS::Key')),
  );
  const alarmed = Object.values(resourcesOf(service, 'AWS::CloudWatch::Alarm')).map(
    ({ Properties }) =>
      (Properties.Metrics ?? [{ MetricStat: {} }]).filter(
        ({ MetricStat }: { MetricStat?: object }) => MetricStat !== undefined,
      ).length,
  );

  expect(page).toContain(`| Customer keys | ${keys.length} |`);
  expect(page).toContain(`| Alarm metrics | ${alarmed.reduce((sum, count) => sum + count, 0)} |`);
});

import { describe, expect, it } from 'vitest';
import { project, rawLogs } from './projected-logs.ts';

function linesOf(...texts: string[]): string[] {
  return project(rawLogs(texts)).body.patterns.map(({ line }) => line);
}

it('shows the words of a pattern that stands for one line', () => {
  expect(linesOf('INFO deploy - released env=prod service=gateway v5.5.1 -> v5.5.2')).toEqual([
    '1× INFO deploy - released env=prod service=gateway v5.5.1 -> v5.5.2',
  ]);
});

describe('a value in a pattern', () => {
  it('stays where all of its lines have it', () => {
    expect(
      linesOf(
        'ERROR timeout order=A17 readTimeoutMs=6000 pool=4/7',
        'ERROR timeout order=A18 readTimeoutMs=6000 pool=4/9',
        'ERROR timeout order=A19 readTimeoutMs=6000 pool=4/7',
      ),
    ).toEqual(['3× ERROR timeout order=<*> readTimeoutMs=6000 pool=<*>']);
  });

  it('is masked as soon as one line among many has another', () => {
    const texts = Array.from({ length: 500 }, () => 'ERROR timeout readTimeoutMs=6000 now');

    expect(linesOf(...texts.with(377, 'ERROR timeout readTimeoutMs=6001 now'))).toEqual([
      '500× ERROR timeout readTimeoutMs=<*> now',
    ]);
  });

  it('is masked where one begins as the other does', () => {
    expect(linesOf('ERROR waited 60 ms now', 'ERROR waited 600 ms now')).toEqual([
      '2× ERROR waited <*> now',
    ]);
  });

  it('is compared across lines that became one pattern late', () => {
    const names = ['anna', 'bob', 'carl', 'dora', 'emil', 'fred'];
    const lineOf = (name: string, port: number) =>
      `WARN Invalid user ${name} asked=${port} limit=30 again`;

    expect(linesOf(...names.map((name, at) => lineOf(name, at)))).toEqual([
      '6× WARN Invalid user <*> asked=<*> limit=30 again',
    ]);
  });

  it('does not show what redaction takes out, though all lines have it', () => {
    const texts = Array.from(
      { length: 9 },
      () => 'ERROR login failed password=Kq7xZ91vB2n at 10.0.0.1',
    );

    const [line = ''] = linesOf(...texts);

    expect(line).toMatch(/^9× ERROR login failed password=/);
    expect(line).not.toMatch(/Kq7xZ91vB2n|10\.0\.0\.1/);
  });
});

describe('a statement in a pattern', () => {
  const statement = (at: number) =>
    `ERROR failed: UPDATE payments SET state = 'LATE-${at}' WHERE payment_no = 'P${at}' AND note = "a${at} - b${at}"`;

  it('has placeholders that are not taken for literals', () => {
    expect(linesOf(statement(101), statement(102))).toEqual([
      '2× ERROR failed: UPDATE payments SET state = <*> WHERE payment_no = <*> AND note = <*>',
    ]);
  });

  it('spends no marks on placeholders', () => {
    const { body } = project(rawLogs([statement(101), statement(102)]));

    expect(body.events.map((line) => line.match(/<literal:\d+>/g))).toEqual([
      ['<literal:1>', '<literal:2>', '<literal:3>'],
      ['<literal:4>', '<literal:5>', '<literal:6>'],
    ]);
  });
});

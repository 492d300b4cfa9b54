import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minePatterns } from '../../../../functions/diagnosis/tools/query-logs/log-patterns.ts';
import { corporaNote, corpusBytes, corpusEvents, corpusLogs, hasCorpora } from './corpora.ts';

const TIME = '2026-11-30 17:00:00.000';

function groupsOf(...messages: string[]): number {
  return minePatterns(messages.map((message) => `${TIME} ${message}`)).templates.length;
}

it.each([
  ['numbers', 'INFO order 17 took 5 ms', 'INFO order 18 took 12 ms'],
  ['addresses', 'WARN lost 10.0.0.1:80', 'WARN lost 10.0.0.22:8080'],
  ['IPv6 addresses', 'WARN lost fe80::fecd:1', 'WARN lost 2607:f140:6000:8:c6b3:1ff:fecd:467f'],
  ['hosts with a port', 'WARN lost a.example.com:443', 'WARN lost db.example.org:3306'],
  ['ids', 'INFO block blk_38865 done', 'INFO block blk_-6952295868 done'],
  ['paths', 'INFO read /etc/a.conf', 'INFO read /var/lib/b.conf'],
  ['values behind =', 'INFO login user=anna ok', 'INFO login user=bob ok'],
  ['quoted values behind =', 'INFO tag="View Lock" held', 'INFO tag="Radio" held'],
  ['lists of different length', 'INFO fans ( 1 2 3 )', 'INFO fans ( 1 2 3 4 5 )'],
  ['asides', 'INFO sent 403 bytes now', 'INFO sent 2737 bytes (2.67 KB) now'],
  ['units', 'INFO lifetime <1 sec', 'INFO lifetime 00:27'],
  [
    'numbers behind an HTTP answer',
    'INFO "GET /a HTTP/1.1" 200 5 "-" "x/4.12.0" 429',
    'INFO "GET /a HTTP/1.1" 200 7 "-" "x/4.12.0" 31',
  ],
  ['dates in the message', 'INFO rate of 2026-11-30 done', 'INFO rate of 2026-12-01 done'],
  ['numbers beside Chinese', 'INFO 重试3次，订单=17', 'INFO 重试12次，订单=18'],
  ['times and threads of the header', '[t-1] INFO a.B - ok', '[t-2] INFO a.B - ok'],
])('groups messages that differ in %s', (_name, one, other) => {
  expect(groupsOf(one, other)).toBe(1);
});

it.each([
  ['level', 'ERROR lost the pool', 'WARN lost the pool'],
  ['exception class', 'ERROR a.b.XException: lost', 'ERROR a.b.YException: lost'],
  ['exception class behind =', 'ERROR type=a.XException lost', 'ERROR type=a.YException lost'],
  [
    'error code',
    'ERROR statement failed, error code 1205',
    'ERROR statement failed, error code 1213',
  ],
  ['named error code', 'ERROR ORA-00060: gave up here', 'ERROR ORA-12541: gave up here'],
  ['errno', 'ERROR connect errno=110 now', 'ERROR connect errno=111 now'],
  ['SQL state', 'ERROR SQLState: 41000 thrown', 'ERROR SQLState: 40001 thrown'],
  ['exit code', 'ERROR container died with exit code 137', 'ERROR container died with exit code 1'],
  ['HTTP failure', 'INFO "GET /a HTTP/1.1" 200 5', 'INFO "GET /a HTTP/1.1" 504 5'],
  ['HTTP failures', 'INFO "GET /a HTTP/1.1" 502 5', 'INFO "GET /a HTTP/1.1" 504 5'],
  ['status', 'INFO call done status=200', 'INFO call done status=503'],
  ['words', 'INFO session opened for user root', 'INFO session closed for user root'],
  ['truth', 'INFO visible=true now', 'INFO visible=false now'],
])('keeps messages of different %s apart', (_name, one, other) => {
  expect(groupsOf(one, other)).toBe(2);
});

it('takes a word for a variable once enough different words stood in its place', () => {
  const names = ['anna', 'bob', 'carl', 'dora', 'emil', 'fred'];

  const { templates, assignments } = minePatterns(
    names.map((name) => `${TIME} WARN Invalid user ${name} from 10.0.0.1`),
  );

  expect(templates).toEqual([{ template: 'Invalid user <*> from <*>', count: 6 }]);
  expect(assignments).toEqual([0, 0, 0, 0, 0, 0]);
});

it('never takes an exception class for a variable', () => {
  const classes = Array.from({ length: 30 }, (_none, at) => `a.b.C${'x'.repeat(at)}Exception`);

  expect(groupsOf(...classes.map((name) => `ERROR call of the bank failed: ${name}`))).toBe(30);
});

it.each([
  [`${TIME} INFO sent 403 bytes (1.2 KB) to 10.0.0.1:80`, 'sent <*> bytes to <*>'],
  [`${TIME} ERROR [t] a.B - 支付超时，订单=17 cost=30ms`, '支付超时，订单=<*> cost=<*>'],
  [`${TIME} INFO lookup of 10.0.0.1 [10.0.0.2] failed`, 'lookup of <*> failed'],
  ['no header and 1 number', 'no header and <*> number'],
])('writes the template of %j', (line, template) => {
  expect(minePatterns([line]).templates).toEqual([{ template, count: 1 }]);
});

it('counts every line in exactly one template', () => {
  const word = fc.constantFrom(
    'ERROR',
    'lost',
    '10.0.0.1',
    '[',
    'user=a',
    '支付',
    '(',
    '17',
    '"',
    '\t',
  );
  const line = fc.array(word, { maxLength: 20 }).map((words) => words.join(' '));

  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
      const { templates, assignments } = minePatterns(lines);

      const counts = templates.map((_template, at) => assignments.filter((to) => to === at).length);
      expect(assignments).toHaveLength(lines.length);
      expect(templates.map(({ count }) => count)).toEqual(counts);
    }),
  );
});

it('stays bounded on lines made to be all different', () => {
  const letters = (seed: number) =>
    seed.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'.charAt(Number(digit)));
  const lines = Array.from({ length: 20_000 }, (_none, at) => {
    const words = Array.from({ length: 30 }, (_same, place) => letters(at * 31 + place * 7_919));
    return `${TIME} INFO ${words.join(' ')}`;
  });

  expect(minePatterns(lines).templates.length).toBeLessThanOrEqual(4_096 + 512 + 1);
});

it('keeps a rare error apart after chatter has used up its own room', () => {
  const chatter = Array.from(
    { length: 20_000 },
    (_none, at) =>
      `${TIME} INFO ${at % 2 ? 'a' : 'b'}${'x'.repeat(at % 97)} ${'y'.repeat(at % 89)} went by`,
  );

  const { templates } = minePatterns([...chatter, `${TIME} ERROR ledger lost`]);

  expect(templates.at(-1)).toEqual({ template: 'ledger lost', count: 1 });
});

it.each([
  ['one endless word', 'x'.repeat(500_000)],
  ['opening brackets', '['.repeat(200_000)],
  ['quotes', '"='.repeat(100_000)],
  ['blanks', ' '.repeat(500_000)],
  ['dots', '.'.repeat(500_000)],
  ['colons', 'a:'.repeat(200_000)],
])('gets through %s', (_name, text) => {
  const lines = Array.from({ length: 50 }, () => `${TIME} ERROR ${text}`);

  expect(minePatterns(lines).assignments).toEqual(new Array(50).fill(0));
});

describe.skipIf(!hasCorpora)(`on the collected logs${corporaNote}`, () => {
  const logs = corpusLogs().filter((name) => name.startsWith('loghub_'));

  it('groups at least 95 % of the lines exactly as the truth does, on average over the logs', () => {
    const accuracies = logs.map((name) => {
      const lines = corpusBytes(name)
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '');
      return groupingAccuracy(minePatterns(lines).assignments, corpusEvents(name));
    });

    const mean = accuracies.reduce((sum, accuracy) => sum + accuracy, 0) / accuracies.length;
    expect(mean).toBeGreaterThanOrEqual(0.95);
  });
});

/** A line counts when its group holds exactly the lines of one true event. */
function groupingAccuracy(groups: readonly number[], truth: readonly string[]): number {
  const sizes = Map.groupBy(truth, (event) => event);
  const right = [...Map.groupBy(groups.keys(), (line) => groups[line]).values()].filter((lines) => {
    const events = new Set(lines.map((line) => truth[line]));
    return events.size === 1 && sizes.get([...events][0] ?? '')?.length === lines.length;
  });
  return right.flat().length / truth.length;
}

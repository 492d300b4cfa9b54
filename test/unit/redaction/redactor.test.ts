import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../shared/redaction/redactor.ts';

const POD = 'payment-service-7c9f8d6b5-x2k4q';

describe('marks', () => {
  it('gives equal things equal marks, numbered by first appearance', () => {
    const redactor = createRedactor();

    const first = redactor.redact('10.1.1.2 refused 10.1.1.1');
    const second = redactor.redact('10.1.1.1 refused 10.1.1.3');

    expect([first, second]).toEqual(['<ip:1> refused <ip:2>', '<ip:2> refused <ip:3>']);
  });

  it('counts every kind on its own', () => {
    const redactor = createRedactor();

    const redacted = redactor.redact(`password=hunter2! on ${POD} at 10.1.1.1 by a@b.example`);

    expect(redacted).toBe('password=<secret:1> on payment-service-<pod:1> at <ip:1> by <email:1>');
  });

  it('keeps the role that a name shows', () => {
    const redactor = createRedactor();

    const redacted = redactor.redact(
      `${POD} -> mysql-prod-35.hz.acmepay.internal, redis-core.acmepay.internal`,
    );

    expect(redacted).toBe('payment-service-<pod:1> -> mysql-prod-<host:1>, redis-core.<host:2>');
  });

  it('tells machines apart whose names differ in the role alone', () => {
    const redactor = createRedactor();

    const redacted = redactor.redact('host=mysql-01 host=redis-01');

    expect(redacted).toBe('host=mysql-<host:1> host=redis-<host:2>');
  });

  it('starts behind the highest number that query and previous turn spell', () => {
    const redactor = createRedactor({
      query: 'why did <pod:3> restart after <pod:1>',
      previousTurn: '{"conclusion":"<ip:7> refused, see <POD:5>"}',
    });

    const redacted = redactor.redact(`${POD} at 10.1.1.1 password=hunter2!`);

    expect(redacted).toBe('payment-service-<pod:6> at <ip:8> password=<secret:1>');
  });

  it('never gives a number to a thing that the source spells as a mark', () => {
    const redactor = createRedactor();

    const redacted = redactor.redact('10.1.1.1 said <ip:1>');

    expect(redacted).toBe('<ip:2> said <ip:1>');
    expect(redactor.resolveMarks('<ip:1>')).toEqual({ kind: 'unknown_mark', mark: '<ip:1>' });
  });

  it('folds a list of literals to its length', () => {
    const redactor = createRedactor();

    const redacted = redactor.redact('SELECT a FROM t WHERE id IN (55727786,24952839,77712345)');

    expect(redacted).toBe('SELECT a FROM t WHERE id IN (<literal:1> ×3)');
  });

  it('folds a list of texts to its length between the quotes of the first and the last', () => {
    const redactor = createRedactor();

    const redacted = redactor.redact("INSERT INTO t VALUES ('Anna', 'Bob', 'Carla')");

    expect(redacted).toBe("INSERT INTO t VALUES ('<literal:1> ×3')");
  });

  it('takes invisible characters out that only a mark has put beside plain text', () => {
    const redactor = createRedactor();

    const redacted = redactor.redact('-----BEGIN PRIVATE KEY-----Bearer \u200b密码');

    expect(redacted).toBe('<secret:1>密码');
  });

  it('takes no other number behind a mark for a count', () => {
    const redactor = createRedactor();

    const redacted = redactor.redact("SELECT a FROM t WHERE b = '<literal:1> ×552786'");

    expect(redacted).toBe("SELECT a FROM t WHERE b = '<literal:1><literal:2>'");
  });
});

describe('resolving', () => {
  it('puts infrastructure back for a tool', () => {
    const redactor = createRedactor();
    redactor.redact(`${POD} at 10.1.1.1`);

    const resolved = redactor.resolveMarks('filter payment-service-<pod:1> or <ip:1>');

    expect(resolved).toEqual({ kind: 'resolved', text: `filter ${POD} or 10.1.1.1` });
  });

  it('returns a text without marks as it is', () => {
    const redactor = createRedactor();

    const resolved = redactor.resolveMarks('a < b and <x:1>');

    expect(resolved).toEqual({ kind: 'resolved', text: 'a < b and <x:1>' });
  });

  it.each([
    ['of another run', '<pod:9>'],
    ['of a credential', '<secret:1>'],
    ['of personal data', '<phone:1>'],
    ['of a literal', '<literal:1>'],
    ['in another case', '<IP:1>'],
    ['with a leading zero', '<ip:01>'],
  ])('does not know a mark %s', (_what, mark) => {
    const redactor = createRedactor();
    redactor.redact(`password=hunter2! 13900001111 10.1.1.1; select a from t where b='c'`);

    const resolved = redactor.resolveMarks(`<ip:1> ${mark}`);

    expect(resolved).toEqual({ kind: 'unknown_mark', mark });
  });
});

describe('the legend', () => {
  it('holds infrastructure in order of appearance and nothing else', () => {
    const redactor = createRedactor();
    redactor.redact(
      `i-0abc12def34567890 ${POD} password=hunter2! a@b.example 13900001111 10.1.1.1 worker`,
    );
    redactor.redact('nodeName=k8s-node-12 hwaddr 02:42:09:75:15:9b');

    const legend = redactor.legend();

    expect(legend).toEqual([
      { mark: '<instance:1>', value: 'i-0abc12def34567890' },
      { mark: '<pod:1>', value: '7c9f8d6b5-x2k4q' },
      { mark: '<ip:1>', value: '10.1.1.1' },
      { mark: '<node:1>', value: 'k8s-node-12' },
      { mark: '<mac:1>', value: '02:42:09:75:15:9b' },
    ]);
  });

  it('holds no credential, whatever it is dressed as', () => {
    const redactor = createRedactor();

    const redacted = redactor.redact(`password=${POD} pwd=10.1.1.1 token=a1b2.acmepay.internal`);

    expect(redacted).toBe('password=<secret:1> pwd=<secret:2> token=<secret:3>');
    expect(redactor.legend()).toEqual([]);
  });
});

describe('identifiers that the query spells out', () => {
  it.each([
    ['a pod', POD],
    ['an address', '10.1.1.1'],
    ['a host', 'mysql-prod-35.hz.acmepay.internal'],
    ['an instance', 'i-0abc12def34567890'],
  ])('leaves %s readable', (_what, name) => {
    const redactor = createRedactor({ query: `为什么 ${name} 在 17:02 超时？` });

    const redacted = redactor.redact(`connect to ${name} failed`);

    expect(redacted).toBe(`connect to ${name} failed`);
    expect(redactor.legend()).toEqual([]);
  });

  it('marks what only looks like them', () => {
    const redactor = createRedactor({ query: 'why is 10.1.1.12 slow' });

    const redacted = redactor.redact('10.1.1.1 and 10.1.1.12.');

    expect(redacted).toBe('<ip:1> and 10.1.1.12.');
  });

  it('does not extend to credentials and personal data', () => {
    const redactor = createRedactor({
      query: 'is password hunter2! of 13900001111 a@b.example known',
    });

    const redacted = redactor.redact('password=hunter2! 13900001111 a@b.example');

    expect(redacted).toBe('password=<secret:1> <phone:1> <email:1>');
  });

  it('does not extend to the previous turn', () => {
    const redactor = createRedactor({ previousTurn: 'see 10.1.1.1' });

    const redacted = redactor.redact('10.1.1.1 refused');

    expect(redacted).toBe('<ip:1> refused');
  });
});

describe('what is named once with its label', () => {
  it('goes in the rest of the text as well', () => {
    const redactor = createRedactor();

    const redacted = redactor.redact('db-07x down; host=db-07x; admin/Rt6yUi8o; password=Rt6yUi8o');

    expect(redacted).toBe(
      'db-<host:1> down; host=db-<host:1>; admin/<secret:1>; password=<secret:1>',
    );
  });
});

it('takes out terminal colours and invisible characters that cut a key in two', () => {
  const redactor = createRedactor();

  const redacted = redactor.redact(
    '\u001b[1mpass\u001b[0mword=\u001b[33mRt6y\u200bUi8o\u001b[0m x=1',
  );

  expect(redacted).toBe('password=<secret:1> x=1');
});

import { expect, it } from 'vitest';
import { unmatchedTerms } from '../../../functions/diagnosis/draft/statement-terms.ts';
import { anItem, logsCall } from './draft-builders.ts';

const nothing: readonly unknown[] = [];

it.each([
  ['a class name', 'HikariPool 耗尽', ['HikariPool']],
  ['a name with a number', '线程 http-nio-8080 阻塞', ['http-nio-8080']],
  ['a snake case name', '表 t_order 缺索引 idx_created_at', ['t_order', 'idx_created_at']],
  ['a dotted name', 'java.net.SocketTimeoutException。', ['java.net.SocketTimeoutException']],
  ['a code in capitals', '收到 ECONNREFUSED', ['ECONNREFUSED']],
  ['a mark', '实例 <pod:12> 重启', ['<pod:12>']],
  ['a number of three digits or more', '返回 504，错误 1205', ['504', '1205']],
  ['an address', '10.2.3.4 拒绝连接', ['10.2.3.4']],
  ['each once, in order', 'a_b c_d a_b', ['a_b', 'c_d']],
  ['the value behind a sign', 'active=20/200 status:ERR_5', ['200', 'ERR_5']],
])('reports %s', (_what, statement, terms) => {
  expect(unmatchedTerms(anItem({ statement }), nothing)).toEqual(terms);
});

it.each([
  ['Chinese', '支付网关连接池耗尽，请求排队'],
  ['English words', 'the pool was exhausted, e.g. by slow queries'],
  ['trade words in capitals', 'CPU GC SQL HTTP JVM'],
  ['dates and times', '2026-11-30 17:02:13 到 17:05'],
  ['measures and shares', '耗时 5000ms，占 99.5%，约 30min，1.5s'],
  ['small numbers', '20 个连接，等待 12'],
])('takes no %s for identifiers', (_what, statement) => {
  expect(unmatchedTerms(anItem({ statement }), nothing)).toEqual([]);
});

it.each([
  ['in a line', 'order_id 88213'],
  ['in other letter case', 'ORDER_ID'],
  ['in a value beside the lines', 'critical_failure 412'],
  ['in a name of the observation', 'matched_count'],
])('counts a term as held %s', (_where, statement) => {
  const observation: unknown = JSON.parse(logsCall({}).observation);
  const withPattern: unknown = JSON.parse(logsCall({ patterns: ['412× ERROR'] }).observation);

  expect(unmatchedTerms(anItem({ statement }), [observation, withPattern])).toEqual([]);
});

it.each([
  ['call-12', 'call-1'],
  ['ORDER_TIMEOUT_2', 'ORDER_TIMEOUT'],
  ['15042', '504'],
])('does not take %s for %s', (held, term) => {
  const observation = { events: [`${held} and ${held}`] };

  expect(unmatchedTerms(anItem({ statement: `见 ${term}` }), [observation])).toEqual([term]);
});

it('finds a term behind a longer one', () => {
  const observation = { events: ['call-12 call-1'] };

  expect(unmatchedTerms(anItem({ statement: 'call-1' }), [observation])).toEqual([]);
});

it('leaves the search out of what an observation holds, save for what was not found', () => {
  const observations: unknown[] = [JSON.parse(logsCall({ query: 'RedisTimeout' }).observation)];
  const statement = 'RedisTimeout';

  expect(unmatchedTerms(anItem({ statement }), observations)).toEqual(['RedisTimeout']);
  expect(unmatchedTerms(anItem({ type: 'NEGATIVE_OBSERVATION', statement }), observations)).toEqual(
    [],
  );
});

it('reports at most 64 terms, none longer than 256 characters', () => {
  const many = Array.from({ length: 80 }, (_, index) => `term_${index}`).join(' ');
  const long = `x_${'y'.repeat(1_000)}`;

  expect(unmatchedTerms(anItem({ statement: many }), nothing)).toHaveLength(64);
  expect(unmatchedTerms(anItem({ statement: long }), nothing)).toEqual([long.slice(0, 256)]);
});

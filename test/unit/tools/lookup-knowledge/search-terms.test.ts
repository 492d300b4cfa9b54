import { expect, it } from 'vitest';
import {
  foldText,
  searchTerms,
} from '../../../../functions/diagnosis/tools/lookup-knowledge/search-terms.ts';

it.each([
  ['innodb_lock_wait_timeout', ['innodb_lock_wait_timeout', 'innodb', 'lock', 'wait', 'timeout']],
  ['ERR-1205', ['err-1205', 'err', '1205']],
  ['HikariPool-1', ['hikaripool-1', 'hikaripool', 'hikari', 'pool', '1']],
  ['OutOfMemoryError', ['outofmemoryerror', 'out', 'memory', 'error']],
  ['HTTPServer', ['httpserver', 'http', 'server']],
  ['com.zaxxer.hikari', ['com.zaxxer.hikari', 'com', 'zaxxer', 'hikari']],
])('finds the identifier %s by itself and by its parts', (identifier, terms) => {
  expect(searchTerms(identifier)).toEqual(terms);
});

it('finds Chinese by every pair of neighbouring characters', () => {
  const terms = searchTerms('数据库超时');

  expect(terms).toEqual(expect.arrayContaining(['数据', '据库', '库超', '超时']));
});

it('finds a character that the dictionary takes for a word', () => {
  expect(searchTerms('库')).toEqual(['库']);
});

it('parts Chinese from identifiers without a blank between them', () => {
  expect(searchTerms('查Redis慢')).toEqual(['查', 'redis', '慢']);
});

it.each([
  ['连接池满了吗', '连接池满'],
  ['怎么处理超时', '处理超时'],
  ['the pool is full', 'pool full'],
  ['timeouts', 'timeout'],
  ['queries', 'query'],
  ['ＭｙＳＱＬ', 'MySQL'],
])('reads %s like %s', (spelled, plain) => {
  expect(searchTerms(spelled)).toEqual(searchTerms(plain));
});

it.each(['', '  \n', '！？。', '---', '的了吗', 'what is the'])('finds nothing in %j', (text) => {
  expect(searchTerms(text)).toEqual([]);
});

it('keeps no more than 64 characters of an endless word', () => {
  expect(searchTerms('a'.repeat(100_000))).toEqual(['a'.repeat(64)]);
});

it('folds width, letter case and white space', () => {
  expect(foldText('  Ｒedis \n\t TIMEOUT ')).toBe('redis timeout');
});

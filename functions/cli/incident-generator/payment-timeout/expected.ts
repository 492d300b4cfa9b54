import type { Expected } from '../../../../shared/contracts/expected.ts';
import type { Scenario } from './scenario.ts';

/** What holds when the lock or its holder can be seen. */
export function expectedWhole({ names, chunkAfter }: Scenario): Expected {
  return {
    schema_version: 1,
    true_cause: `${names.settlement} 的结算批次在分片调到 ${chunkAfter} 之后，一个事务处理全部待结算支付而不提交，其间一直持有 payments 上的行锁；${names.payment} 的支付确认等锁超时，连接池随之占满。`,
    told_apart_by: `${names.payment} 的 Lock wait timeout，lock_wait_blockers 里睡着的 settlement_rw，结算日志里的“尚未提交”，以及 chunk-size 的变更；渠道偏慢的告警全天同样频繁。`,
    must_be_null: false,
    must_conclude: [
      {
        meaning: '等的是行锁',
        all_of: [['行锁', '锁等待', '持锁', '持有锁', '锁超时', 'lock']],
      },
      {
        meaning: '锁被结算批次的长事务持有',
        all_of: [[names.settlement, 'settlement', '结算', '清算']],
      },
    ],
    may_conclude: [
      {
        meaning: '起因是分片大小的变更',
        all_of: [['chunk-size', 'chunk_size', 'chunksize', '分片', `${chunkAfter}`]],
      },
    ],
    must_not_blame: [
      {
        meaning: '一直偏慢的渠道',
        all_of: [
          [names.channels[2], '渠道', 'channel'],
          ['慢', '超时', 'slow', 'timeout'],
          ['原因', '导致', '引起', '根因', 'cause', 'because', 'due to'],
        ],
      },
      {
        meaning: '离得最近、但无关的发布',
        all_of: [[names.bystander]],
      },
    ],
    must_name_as_missing: [],
    must_not_say: [],
  };
}

/** What holds for a copy whose decisive evidence was left out. */
export function expectedBare(scenario: Scenario): Expected {
  return {
    ...expectedWhole(scenario),
    told_apart_by: '这份副本里没有决定性的证据：看得到超时和占满的连接池，看不到连接被什么占住。',
    must_be_null: true,
    must_conclude: [],
    may_conclude: [],
    must_name_as_missing: [
      {
        meaning: '占住连接的是什么',
        all_of: [['会话', '锁', '线程栈', '事务', 'session', 'lock', 'thread', 'transaction']],
      },
    ],
  };
}

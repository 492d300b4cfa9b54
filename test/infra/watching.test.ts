import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RUN_METRIC } from '../../shared/contracts/metrics.ts';
import {
  aDeployment,
  type Resource,
  resourceOf,
  resourcesOf,
  synthesized,
  theExample,
} from './synthesized.ts';

const { service } = synthesized();
const alarms = Object.values(resourcesOf(service, 'AWS::CloudWatch::Alarm'));

describe('the alarms', () => {
  it('are each explained in the operations page', () => {
    const page = readFileSync('docs/operations.md', 'utf8');

    const unexplained = alarms.map(idOf).filter((id) => !page.includes(`**${id}**`));
    expect(unexplained).toEqual([]);
  });

  it('take silence for peace', () => {
    const missing = alarms.map(({ Properties }) => Properties.TreatMissingData);

    expect(new Set(missing)).toEqual(new Set(['notBreaching']));
  });

  it('notify nobody where a stage names no topic', () => {
    expect(alarms.map(({ Properties }) => Properties.AlarmActions)).toEqual(
      alarms.map(() => undefined),
    );
  });

  it('all notify the topic that a stage names', () => {
    const { alarms: target } = theExample();
    const notifying = synthesized(theExample()).service;

    const actions = Object.values(resourcesOf(notifying, 'AWS::CloudWatch::Alarm')).map(
      ({ Properties }) => Properties.AlarmActions,
    );
    expect(new Set(actions.flat())).toEqual(new Set([target.topic_arn]));
    expect(actions).toHaveLength(alarms.length);
  });

  it('count the tokens of an hour against what the stage expects', () => {
    const [alarm] = Object.values(
      resourcesOf(
        synthesized(aDeployment({ alarms: { topic_arn: null, tokens_per_hour: 1_000 } })).service,
        'AWS::CloudWatch::Alarm',
      ),
    ).filter((one) => idOf(one) === 'TokensPerHour');

    expect(alarm?.Properties.Threshold).toBe(1_000);
    expect(alarm?.Properties.Metrics).toHaveLength(5);
  });

  it('look at the metrics of their own stage', () => {
    const own = alarms.filter(({ Properties }) => Properties.Namespace === 'IncidentDiagnosis');

    const services = own.map(({ Properties }) =>
      Properties.Dimensions.find(({ Name }: { Name: string }) => Name === 'service'),
    );
    expect(new Set(services.map(({ Value }) => Value))).toEqual(
      new Set(['diagnosis-sample-diagnosis']),
    );
  });
});

describe('the dashboard', () => {
  it('shows every metric of a run', () => {
    const body = JSON.stringify(resourceOf(service, 'AWS::CloudWatch::Dashboard').Properties);

    const unseen = Object.values(RUN_METRIC).filter((name) => !body.includes(name));
    expect(unseen).toEqual([]);
  });

  it('estimates the cost where a stage names prices', () => {
    const priced = synthesized(theExample()).service;

    const bodies = [service, priced].map((template) =>
      JSON.stringify(resourceOf(template, 'AWS::CloudWatch::Dashboard').Properties),
    );
    expect(bodies.map((body) => body.includes('estimated'))).toEqual([false, true]);
  });
});

function idOf({ Properties }: Resource): string {
  return String(Properties.AlarmName).replace(/^diagnosis-[a-z]+-/, '');
}
